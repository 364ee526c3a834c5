"""Host names in an inventory's text. The text can hold passwords: nothing else of it is kept."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any

import yaml

MAX_HOSTS = 10_000
_SECTION = re.compile(r"\[[^\[\]:]+(?::(?P<kind>vars|children))?\]\s*(?:#.*)?")
_RANGE = re.compile(r"\[(?P<first>\w+):(?P<last>\w+)(?::(?P<step>\d+))?\]")
_PORT = re.compile(r":\d{1,5}")


class UnreadableInventoryError(ValueError):
    """Says nothing about the text, which may hold secrets."""


def from_ini(text: str) -> frozenset[str]:
    found: set[str] = set()
    takes = True
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        section = _SECTION.fullmatch(line)
        if section is not None:
            takes = section["kind"] is None
        elif takes:
            _add(found, line.split()[0].strip("\"'"))
    return frozenset(found)


def from_yaml(text: str) -> frozenset[str]:
    """The names under every `hosts`, in groups of any depth."""
    found: set[str] = set()
    for name in _yaml_names(_parsed(text), depth=0):
        _add(found, name)
    return frozenset(found)


def _parsed(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError):
        # Without its cause: the parser's message quotes the text.
        raise UnreadableInventoryError("the inventory is not YAML") from None


def _yaml_names(groups: Any, *, depth: int) -> Iterator[str]:
    if not isinstance(groups, dict) or depth > 20:
        return
    for group in groups.values():
        if isinstance(group, dict):
            hosts = group.get("hosts")
            yield from (str(name) for name in (hosts if isinstance(hosts, dict) else {}))
            yield from _yaml_names(group.get("children"), depth=depth + 1)


def _add(found: set[str], pattern: str) -> None:
    for name in _expanded(pattern):
        found.add(_without_port(name))
        if len(found) > MAX_HOSTS:
            raise UnreadableInventoryError("the inventory has more hosts than we read")


def _without_port(name: str) -> str:
    head, colon, tail = name.partition(":")
    return head if colon and _PORT.fullmatch(colon + tail) else name


def _expanded(pattern: str) -> Iterator[str]:
    """`db[01:03].x` is three names; what is no range stays as it is written."""
    found = _RANGE.search(pattern)
    if found is None:
        yield pattern
        return
    for item in _items(found["first"], found["last"], int(found["step"] or 1) or 1):
        yield from _expanded(pattern[: found.start()] + item + pattern[found.end() :])


def _items(first: str, last: str, step: int) -> Iterator[str]:
    if first.isdigit() and last.isdigit():
        width = len(first) if first.startswith("0") else 0
        yield from (f"{number:0{width}d}" for number in range(int(first), int(last) + 1, step))
    elif first in string.ascii_letters and last in string.ascii_letters:
        letters = string.ascii_letters
        yield from letters[letters.index(first) : letters.index(last) + 1 : step]
