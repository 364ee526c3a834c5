"""Orders that a document has no business giving: our own, each of one kind, in two languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("sentences.tsv")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Order:
    kind: str
    language: str
    text: str

    @property
    def read(self) -> str:
        return plain(self.text)


@cache
def orders() -> tuple[Order, ...]:
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    return tuple(Order(*line.split("\t")) for line in lines)


@cache
def _by_text() -> Mapping[str, Order]:
    return {order.read: order for order in orders()}


def found_in(text: str) -> Iterator[Order]:
    """Those that stand in the text, however it is broken into lines, in no order of their own."""
    read = plain(text)
    return (order for each, order in _by_text().items() if each in read)


def plain(text: str) -> str:
    """Without case, without what a file format writes around words."""
    return _SPACE.sub(" ", re.sub(r"[>|*`\\/]", " ", text)).strip(" .").casefold()
