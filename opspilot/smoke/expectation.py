"""What a step demands of what it sees."""

from __future__ import annotations


class UnmetError(AssertionError):
    """The product did not do what the step demands."""


def expect(condition: bool, sentence: str) -> None:
    """Not `assert`: it must also hold under `python -O`."""
    if not condition:
        raise UnmetError(sentence)
