"""One line of a check of a file, and what is raised where there is nothing to check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """`name` is stable and for programs, `detail` is a sentence for people, in English. What is not
    `known` is neither good nor bad: nobody can say yet."""

    name: str
    ok: bool
    detail: str
    known: bool = True


class UnreadableError(ValueError):
    """The file is none of ours, or so broken that nothing in it can be checked."""
