"""Names of agents and tokens, and what the masking makes of a secret that strayed into a text."""

from __future__ import annotations

import pytest

from audit.masking import mask
from opspilot.api import agents, errors, reference
from opspilot.errors import OpsPilotError


@pytest.mark.parametrize("slug", ["coletor", "coletor-noturno-2", "a", "9"])
def test_a_short_name_is_small_letters_digits_and_hyphens(slug: str) -> None:
    assert agents.is_slug(slug)


@pytest.mark.parametrize(
    "slug", ["", "Coletor", "-a", "a-", "a--b", "a_b", "á", "a" * 61, "console", "sistema", "a\n"]
)
def test_anything_else_is_no_short_name(slug: str) -> None:
    assert not agents.is_slug(slug)


@pytest.mark.parametrize(
    "secret", [f"opsk_1f0c9a2b_{'A-_b' * 11}", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
)
def test_a_secret_of_the_door_is_masked_wherever_it_strays(secret: str) -> None:
    assert mask(f"o token {secret} vazou") == "o token [segredo] vazou"


def test_the_visible_beginning_of_a_token_stays_readable() -> None:
    assert mask("opsk_1f0c9a2b: aprovacoes:ler") == "opsk_1f0c9a2b: aprovacoes:ler"


def test_each_refusal_of_the_door_has_a_code_of_its_own() -> None:
    codes = [line.code for line in reference.problems()]
    assert len(codes) == len(set(codes))


def test_every_error_of_the_room_says_what_happened_and_what_is_next() -> None:
    kinds = [
        k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, OpsPilotError)
    ]
    assert kinds
    assert [
        k.__name__ for k in kinds if not (str(k.title) and str(k.what) and str(k.next_step))
    ] == []
