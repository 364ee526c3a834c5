"""The live check of an embeddings endpoint, on embedders that behave and one that does not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from opspilot.connectors.embeddings import BundledEmbedder
from opspilot.connectors.errors import UnavailableError
from opspilot.smoke import live_model
from opspilot.smoke.live_model import LiveModel


class Silent:
    space, dimensions = "silent", 2

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        raise UnavailableError("the endpoint did not answer")

    def embed_query(self, text: str) -> list[float]:
        raise UnavailableError("the endpoint did not answer")


class Swapped(Silent):
    """Gives each batch back turned round."""

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] if n else [0.0, 1.0] for n in range(len(texts))]


@pytest.fixture(scope="module")
def bundled() -> LiveModel:
    return LiveModel(BundledEmbedder())


def test_a_model_that_behaves_passes_every_step(bundled: LiveModel) -> None:
    found = live_model.record(bundled, live_model.outcomes(bundled))
    assert (found["ok"], len(found["steps"])) == (True, len(live_model.STEPS))


def test_every_step_says_that_the_endpoint_is_silent() -> None:
    found = live_model.record(LiveModel(Silent()), live_model.outcomes(LiveModel(Silent())))
    assert set(found["faults"].values()) == {"UnmetError: the endpoint did not answer"}
    assert not found["ok"]


def test_vectors_out_of_order_are_noticed() -> None:
    first, *_others = live_model.outcomes(LiveModel(Swapped()))
    assert not first.ok
