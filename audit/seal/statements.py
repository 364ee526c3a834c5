"""What is signed, as bytes: one form for each statement, and a kind no other statement can have."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from typing import Literal

Kind = Literal["seal", "key", "expiry", "proof", "sample", "package"]
Value = str | int | None | Mapping[str, str | int | None]


def message(kind: Kind, statement: Mapping[str, Value]) -> bytes:
    """Sorted keys, no spaces, UTF-8, no floats; led by the kind and the version of the form."""
    body = json.dumps(statement, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"opspilot:{kind}:1\n{body}".encode()


def digest(kind: Kind, statement: Mapping[str, Value]) -> str:
    return hashlib.sha256(message(kind, statement)).hexdigest()


def moment(at: dt.datetime) -> str:
    """UTC, to the microsecond, as PostgreSQL keeps it."""
    return at.astimezone(dt.UTC).isoformat(timespec="microseconds")
