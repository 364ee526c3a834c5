"""The text a row's `linha_hash` is made of, written again without PostgreSQL.

The database hashes `(to_jsonb(row) - 'linha_hash')::text`. That text is JSON with keys sorted by
length and then by byte, `, ` and `: ` between, no exponent in a number, and a number's own zeros kept.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

from audit.trace import strict_json


class Number(str):
    """A number as it is written: 0.000000 is not 0.0."""

    __slots__ = ()


def parse(text: str | bytes) -> Any:
    """JSON with every number that has a point kept as it is written."""
    return strict_json.loads(text, parse_float=Number)


def jsonb(value: Any) -> str:
    """The text PostgreSQL prints for this value as jsonb. Rows pass here by the million."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return str(value) if isinstance(value, Number) else encode_basestring(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        parts = [f"{_key(key)}: {jsonb(value[key])}" for key in sorted(value, key=_place)]
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(jsonb, value)) + "]"
    return str(int(value))


def row_hash(row: dict[str, Any]) -> str:
    """SHA-256 in hexadecimal of the row's fields, without `linha_hash`."""
    return hashlib.sha256(jsonb(row).encode()).hexdigest()


@lru_cache(maxsize=4096)
def _place(key: str) -> tuple[int, bytes]:
    raw = key.encode()
    return len(raw), raw


@lru_cache(maxsize=4096)
def _key(key: str) -> str:
    return encode_basestring(key)
