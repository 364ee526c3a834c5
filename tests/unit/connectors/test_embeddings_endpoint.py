"""The adapter of an embeddings endpoint against a server in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from opspilot.connectors.embeddings import OpenAIEmbedder
from opspilot.connectors.errors import UnavailableError

# The model's name says what the server does. It counts requests in its answers' first number.
SERVER = r"""
import http.server, json, sys
counts = {}
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *args): pass
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model, texts = asked["model"], asked["input"]
        counts[model] = turn = counts.get(model, 0) + 1
        size = 3 if model == "short" else asked["dimensions"]
        rows = [{"object": "embedding", "index": i, "embedding": [float(turn), float(len(t))] + [0.0] * (size - 2)}
                for i, t in enumerate(texts)]
        if model == "half": rows = rows[: len(rows) // 2]
        if model == "turned": rows.reverse()
        status = 503 if (model.startswith("flaky") and turn <= 2) or model == "down" else 401 if model == "locked" else 200
        body = json.dumps({"object": "list", "model": model, "data": rows, "usage": {"prompt_tokens": 1, "total_tokens": 1}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    line = [sys.executable, "-I", "-c", SERVER]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        process.terminate()


def embedder(address: str, model: str) -> OpenAIEmbedder:
    return OpenAIEmbedder(base_url=address, api_key="none", model=model, dimensions=4)


def requests(vectors: list[list[float]], texts: list[str]) -> list[int]:
    """Which request each vector came from: its first number stands to its second as that does."""
    pairs = zip(vectors, texts, strict=True)
    return [round(vector[0] / vector[1] * len(text)) for vector, text in pairs]


def test_a_hundred_and_thirty_texts_go_in_three_batches_and_come_back_in_order(
    address: str,
) -> None:
    texts = ["x" * (number + 1) for number in range(130)]
    found = requests(embedder(address, "plain").embed_passages(texts), texts)
    assert found == [1] * 64 + [2] * 64 + [3] * 2


def test_vectors_are_put_in_the_order_of_their_texts(address: str) -> None:
    texts = ["a", "bb", "ccc"]
    assert requests(embedder(address, "turned").embed_passages(texts), texts) == [1, 1, 1]


def test_a_fault_that_passes_is_outlived_by_passages(address: str) -> None:
    assert requests(embedder(address, "flaky").embed_passages(["abc"]), ["abc"]) == [3]


@pytest.mark.parametrize("model", ["half", "short", "down", "locked"])
def test_an_answer_that_is_not_all_of_it_gives_no_vector(address: str, model: str) -> None:
    with pytest.raises(UnavailableError):
        embedder(address, model).embed_passages(["abc", "defg"])


def test_a_question_is_asked_once(address: str) -> None:
    with pytest.raises(UnavailableError):
        embedder(address, "flaky-question").embed_query("abc")
