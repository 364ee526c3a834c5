"""JSON that says each thing once: of a key that stands twice two programs read two values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from audit.files.checks import UnreadableError


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """For `object_pairs_hook`."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise UnreadableError("a key stands twice in one object of its JSON")
    return found


def loads(text: str | bytes, *, parse_float: Callable[[str], Any] | None = None) -> Any:
    """Raises ValueError, of which UnreadableError is one, and RecursionError."""
    return json.loads(text, object_pairs_hook=once, parse_float=parse_float)
