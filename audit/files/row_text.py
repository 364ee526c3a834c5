"""The text a row's `linha_hash` is made of, written again without PostgreSQL.

The database hashes `(to_jsonb(row) - 'linha_hash')::text`. That text is JSON with keys sorted by
length and then by byte, `, ` and `: ` between, no exponent in a number, and a number's own zeros kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

from audit.files import strict_json


class Number(str):
    """A number as it is written: 0.000000 is not 0.0."""

    __slots__ = ()


def parse(text: str | bytes) -> Any:
    """JSON with every number that has a point kept as it is written."""
    return strict_json.loads(text, parse_float=Number)


def jsonb(value: Any) -> str:
    """The text PostgreSQL prints for this value as jsonb. Rows pass here by the million.

    Raises ValueError for what it has no text for.
    """
    writer = _WRITERS.get(type(value))
    if writer is None:  # NaN and its like, which Python reads as numbers
        raise ValueError("no value that jsonb has")
    return writer(value)


def _object(value: dict[str, Any]) -> str:
    parts = [f"{shown}: {jsonb(value[key])}" for key, shown in _in_order(tuple(value))]
    return "{" + ", ".join(parts) + "}"


@lru_cache(maxsize=1024)
def _in_order(keys: tuple[str, ...]) -> list[tuple[str, str]]:
    """The keys in their order, each beside its text: rows have the same ones."""
    return [(key, encode_basestring(key)) for key in sorted(keys, key=_place)]


def _array(value: list[Any]) -> str:
    return "[" + ", ".join(map(jsonb, value)) + "]"


_WRITERS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _value: "null",
    str: encode_basestring,
    Number: str,
    bool: lambda value: "true" if value else "false",
    int: str,
    dict: _object,
    list: _array,
}
"""By the very type: what is read from JSON has no other."""


def row_hash(row: dict[str, Any]) -> str:
    """SHA-256 in hexadecimal of the row's fields, without `linha_hash`."""
    return hashlib.sha256(jsonb(row).encode()).hexdigest()


def _place(key: str) -> tuple[int, bytes]:
    raw = key.encode()
    return len(raw), raw
