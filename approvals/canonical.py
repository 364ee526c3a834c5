"""Canonical JSON and its SHA-256: the identity of an action (I2).

Sorted keys, no insignificant space, UTF-8, integers only: two equal actions have one text, after
RFC 8785 in manner, with floats refused instead of formatted.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

MARKER_PREFIX = "opk"


class NotCanonicalError(TypeError):
    """The action holds a value that has no single canonical form."""


def dumps(action: Mapping[str, Any]) -> str:
    _refuse_inexact(action)
    return json.dumps(action, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def action_hash(action: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical JSON, 64 hex digits."""
    return hashlib.sha256(dumps(action).encode()).hexdigest()


def is_hash_of(action: Mapping[str, Any], expected: str) -> bool:
    """Whether the action still has this hash; one that lost its canonical form has none."""
    try:
        return action_hash(action) == expected
    except NotCanonicalError:
        return False


def marker(*, key: str, tenant_id: UUID, run_id: UUID, action_hash: str) -> str:
    """The line by which an effect is found again: 35 characters, stable for tenant, run and hash.

    Letters first, then hex, under 50 characters: the shape every generation of the remote's index
    keeps whole.
    """
    message = f"marker:{tenant_id}:{run_id}:{action_hash}".encode()
    return MARKER_PREFIX + hmac.new(key.encode(), message, hashlib.sha256).hexdigest()[:32]


def _refuse_inexact(value: object) -> None:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise NotCanonicalError(f"key {key!r} is not text")
            _refuse_inexact(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_inexact(item)
    elif not isinstance(value, str | bool | int | None):
        raise NotCanonicalError(f"{type(value).__name__} has no canonical form")
