"""The configured embedder and translator, and the rule that passages are embedded in English.

An English pivot was measured best by far (a Portuguese text against English passages): the text
shown and quoted is always the original.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.conf import settings

from grounding.reading.analysis import Language
from opspilot.connectors import readers
from opspilot.connectors.ports import Embedder

_standing_in: list[Embedder] = []


def embedder() -> Embedder:
    if _standing_in:
        return _standing_in[-1]
    if settings.OPSPILOT_EMBEDDER == "openai":
        return of_endpoint(settings.OPSPILOT_EMBEDDINGS_MODEL)
    return readers.embedder("bundled")


def of_endpoint(model: str) -> Embedder:
    return readers.embedder(
        "openai",
        base_url=settings.OPSPILOT_EMBEDDINGS_URL,
        api_key=settings.OPSPILOT_EMBEDDINGS_KEY,
        model=model,
    )


@contextmanager
def standing_in(one: Embedder) -> Iterator[None]:
    """The whole process uses `one`, also its other threads: for an evaluation that keeps vectors."""
    _standing_in.append(one)
    try:
        yield
    finally:
        _standing_in.pop()


def english(text: str, language: Language) -> str:
    """For searching with, never for showing."""
    return text if language == "en" else readers.translator().to_english(text)


def embed_passages(
    texts: Sequence[str], language: Language, using: Embedder | None = None
) -> list[list[float]]:
    """One unit vector a text, in the configured space or in that of `using`."""
    return (using or embedder()).embed_passages([english(text, language) for text in texts])
