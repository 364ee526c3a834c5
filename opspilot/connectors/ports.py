"""What the apps ask of the outside; adapters are built by `readers` only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    @property
    def space(self) -> str:
        """Names model, weights, size, prefix rule and normalisation; vectors compare inside it."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]: ...

    def embed_query(self, text: str) -> list[float]: ...


class Translator(Protocol):
    def to_english(self, text: str) -> str:
        """For retrieval only: good enough to search with, not to show to a person."""
        ...
