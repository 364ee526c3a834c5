"""Host names in an inventory's text. The text can hold passwords: nothing else of it is kept.

Whoever may edit the inventory writes the text: reading one takes a bounded number of steps.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any

import yaml

MAX_HOSTS = 10_000
MAX_TEXT = 512 * 1024  # characters
MAX_STEPS = 100_000  # items of ranges, names and groups looked at; words of a YAML text
MAX_PATTERN = 512  # characters of one name with its ranges
MAX_DEPTH = 50  # of a YAML text
_SECTION = re.compile(r"\[[^\[\]:]+(?::(?P<kind>vars|children))?\]\s*(?:#.*)?")
_END = r"\d{1,9}|[A-Za-z]"
_RANGE = re.compile(rf"\[(?P<first>{_END}):(?P<last>{_END})(?::(?P<step>\d{{1,9}}))?\]", re.ASCII)
_PORT = re.compile(r":\d{1,5}", re.ASCII)
# Without types, and where the library has it in C: every word stays the text that it is.
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class UnreadableInventoryError(ValueError):
    """Says nothing about the text, which may hold secrets."""


class _Reading:
    """The names found so far, and what is left to spend on finding more."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_TEXT:
            raise UnreadableInventoryError("the inventory is longer than what we read")
        self.names: set[str] = set()
        self._left = MAX_STEPS

    def spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise UnreadableInventoryError("the inventory takes more steps than we give it")

    def add(self, pattern: str) -> None:
        if len(pattern) > MAX_PATTERN:
            raise UnreadableInventoryError("the inventory has a name longer than any host's")
        for name in _expanded(pattern, self):
            self.names.add(_without_port(name))
            if len(self.names) > MAX_HOSTS:
                raise UnreadableInventoryError("the inventory has more hosts than we read")


def from_ini(text: str) -> frozenset[str]:
    reading = _Reading(text)
    takes = True
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        section = _SECTION.fullmatch(line)
        if section is not None:
            takes = section["kind"] is None
        elif takes:
            reading.add(line.split()[0].strip("\"'"))
    return frozenset(reading.names)


def from_yaml(text: str) -> frozenset[str]:
    """The names under every `hosts`, in groups of any depth."""
    reading = _Reading(text)
    for name in _yaml_names(_parsed(text), reading, depth=0):
        reading.add(name)
    return frozenset(reading.names)


def _parsed(text: str) -> Any:
    try:
        if _is_a_plain_tree(text):
            return yaml.load(text, Loader=_LOADER)  # noqa: S506 -- text, lists, mappings; no tags
    except (yaml.YAMLError, ValueError, RecursionError):
        # Without its cause: the parser's message quotes the text.
        raise UnreadableInventoryError("the inventory is not YAML") from None
    raise UnreadableInventoryError("the inventory repeats parts of itself, or is too large")


def _is_a_plain_tree(text: str) -> bool:
    """Without anchors and aliases, by which a short text stands for an endless one; no larger and
    no deeper than we read."""
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if count > MAX_STEPS or depth > MAX_DEPTH or getattr(event, "anchor", None) is not None:
            return False
    return True


def _yaml_names(groups: Any, reading: _Reading, *, depth: int) -> Iterator[str]:
    if not isinstance(groups, dict) or depth > 20:
        return
    for group in groups.values():
        reading.spend()
        if isinstance(group, dict):
            hosts = group.get("hosts")
            yield from (str(name) for name in (hosts if isinstance(hosts, dict) else {}))
            yield from _yaml_names(group.get("children"), reading, depth=depth + 1)


def _without_port(name: str) -> str:
    head, colon, tail = name.partition(":")
    return head if colon and _PORT.fullmatch(colon + tail) else name


def _expanded(pattern: str, reading: _Reading) -> Iterator[str]:
    """`db[01:03].x` is three names; what is no range stays as it is written."""
    reading.spend()
    found = _RANGE.search(pattern)
    if found is None:
        yield pattern
        return
    for item in _items(found["first"], found["last"], int(found["step"] or 1) or 1):
        yield from _expanded(pattern[: found.start()] + item + pattern[found.end() :], reading)


def _items(first: str, last: str, step: int) -> Iterator[str]:
    if first.isdigit() and last.isdigit():
        width = len(first) if first.startswith("0") else 0
        yield from (f"{number:0{width}d}" for number in range(int(first), int(last) + 1, step))
    elif first in string.ascii_letters and last in string.ascii_letters:
        letters = string.ascii_letters
        yield from letters[letters.index(first) : letters.index(last) + 1 : step]
