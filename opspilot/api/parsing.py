"""Reads the body of a request: one JSON object in UTF-8, and nothing that means two things.

A key twice, NaN, half a surrogate pair or a NUL is refused before anything is made of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser

from opspilot.api.errors import UnreadableBodyError

MAX_DEPTH = 20
MAX_DIGITS = 30


class StrictParser(Parser):
    """What django-ninja reads bodies with."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        return read_object(request.body)


def read_object(raw: bytes) -> dict[str, Any]:
    """Raises UnreadableBodyError."""
    found = _read(raw)
    if not isinstance(found, dict):
        raise UnreadableBodyError
    return found


def read_rows(raw: bytes) -> dict[str, Any] | list[Any]:
    """One object, or a list whatever its items are: each is answered for itself. Raises
    UnreadableBodyError."""
    found = _read(raw)
    if not isinstance(found, dict | list):
        raise UnreadableBodyError
    return found


def _read(raw: bytes) -> Any:
    try:
        found = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_once,
            parse_constant=_refuse,
            parse_int=_number,
        )
    except (ValueError, RecursionError) as exc:
        raise UnreadableBodyError from exc
    if not _is_plain(found, MAX_DEPTH):
        raise UnreadableBodyError
    return found


def is_text(value: str) -> bool:
    """Whether the database and every page can hold it."""
    return "\x00" not in value and not any("\ud800" <= char <= "\udfff" for char in value)


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _refuse(_constant: str) -> NoReturn:
    raise ValueError("no number")


def _number(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError("a number of too many digits")
    return int(digits)


def _is_plain(value: Any, depth: int) -> bool:
    if depth == 0:
        return False
    if isinstance(value, dict):
        return all(is_text(key) and _is_plain(item, depth - 1) for key, item in value.items())
    if isinstance(value, list):
        return all(_is_plain(item, depth - 1) for item in value)
    return not isinstance(value, str) or is_text(value)
