"""What the apps ask of the outside; adapters are built by `readers` only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

ProviderRoute = Literal["cheap", "standard"]


class Embedder(Protocol):
    @property
    def space(self) -> str:
        """Names model, weights, size, prefix rule and normalisation; vectors compare inside it."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]: ...

    def embed_query(self, text: str) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model is told to do, the data it may look at, and the only shape its answer may have.

    The two texts go apart, and nothing depends on the model's minding which is which.
    """

    instruction: str
    data: str
    name: str  # of the schema
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Completed:
    """`content` is the model's text, not yet looked at. Tokens are None where they were not told."""

    content: str
    asked: str
    served: str
    tokens_in: int | None = None
    tokens_out: int | None = None


class Completer(Protocol):
    @property
    def name(self) -> str:
        """The provider's, as its breaker and slots know it."""
        ...

    @property
    def model(self) -> str: ...

    @property
    def route(self) -> ProviderRoute:
        """What it is meant for; which one a request takes is decided by rule, by no model."""
        ...

    @property
    def most_tokens(self) -> int:
        """Of an answer; it is cut there."""
        ...

    def complete(self, asked: Asked) -> Completed:
        """Raises NotSentError where no connection was made, UnavailableError, ThrottledError,
        RefusedByRemoteError or OutputError."""
        ...


class Translator(Protocol):
    def to_english(self, text: str) -> str:
        """For retrieval only: good enough to search with, not to show to a person."""
        ...
