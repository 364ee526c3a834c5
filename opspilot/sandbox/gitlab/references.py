"""References in a text: each writes a note into the issue it names, in another project too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from opspilot.sandbox.gitlab.markdown import without_code

# `#12`, `rede#12`, `grupo/rede#12` and the same with `!`; a backslash before the sign stops it.
_SHORT = re.compile(
    r"(?<![&\w./-])(?P<path>\w[\w.-]*(?:/[\w.-]+)*)?(?P<slashes>\\*)(?P<sign>[#!])(?P<number>\d{1,9})(?!\d)"
)
# Other ways to write the same, which no backslash stops.
_LETTERS = re.compile(r"GL-(?P<number>\d{1,9})(?!\d)")
_NAMED = re.compile(
    r"\[(?:issue|work_item):(?:(?P<path>[\w.-]+(?:/[\w.-]+)*)/)?(?P<number>\d{1,9})\+?s?\]"
)
_SIGNS = {"issues": "#", "work_items": "#", "merge_requests": "!"}


@dataclass(frozen=True)
class Reference:
    """`path` is empty for the text's own project; one name alone is a project beside it."""

    path: str
    sign: str
    number: int

    def seen_from(self, own: str) -> str:
        """The whole path of the project that is meant."""
        if not self.path:
            return own
        return self.path if "/" in self.path else f"{own.rpartition('/')[0]}/{self.path}"


def found(text: str, *, base_url: str) -> list[Reference]:
    """Outside code; addresses count only where they lead to this very instance."""
    plain = without_code(text)
    return list(dict.fromkeys([*_short(plain), *_worded(plain), *_addresses(plain, base_url)]))


def _short(plain: str) -> Iterator[Reference]:
    for match in _SHORT.finditer(plain):
        slashes = len(match["slashes"])
        if slashes % 2 == 0:
            path = match["path"] if match["path"] and not slashes else ""
            yield Reference(path, match["sign"], int(match["number"]))


def _worded(plain: str) -> Iterator[Reference]:
    for match in _LETTERS.finditer(plain):
        yield Reference("", "#", int(match["number"]))
    for match in _NAMED.finditer(plain):
        yield Reference(match["path"] or "", "#", int(match["number"]))


def _addresses(plain: str, base_url: str) -> Iterator[Reference]:
    kinds = "|".join(_SIGNS)
    address = re.compile(
        rf"{re.escape(base_url)}/([\w.-]+(?:/[\w.-]+)*?/[\w.-]+?)(?:/-)?/({kinds})/(\d{{1,9}})"
    )
    for path, kind, number in address.findall(plain):
        yield Reference(path, _SIGNS[kind], int(number))
