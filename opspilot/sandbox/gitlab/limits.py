"""Requests a minute, counted by the sandbox's clock. Checked before anything is stored."""

from __future__ import annotations

import threading
from collections import deque

from opspilot.sandbox.gitlab import failures
from opspilot.sandbox.gitlab.messages import RefusedError, Request
from opspilot.sandbox.gitlab.model import Settings

_MINUTE = 60.0


class Limits:
    """In memory; one window for each of the three limits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: dict[str, deque[float]] = {}

    def clear(self) -> None:
        with self._lock:
            self._seen.clear()

    def check(self, request: Request, operation: str, settings: Settings, *, at: float) -> None:
        name, limit = _limit(request, operation, settings)
        if not limit:
            return
        with self._lock:
            seen = self._seen.setdefault(name, deque())
            while seen and seen[0] <= at - _MINUTE:
                seen.popleft()
            if len(seen) < limit:
                seen.append(at)
                return
            wait = max(1, int(seen[0] + _MINUTE - at) + 1)
        headers = {
            "Retry-After": str(wait),
            "RateLimit-Limit": str(limit),
            "RateLimit-Observed": str(limit + 1),
            "RateLimit-Remaining": "0",
            "RateLimit-Reset": str(int(at) + wait),
        }
        raise RefusedError(failures.limited(name, headers=headers))


def _limit(request: Request, operation: str, settings: Settings) -> tuple[str, int]:
    if operation == "createIssue":
        return "issues_create", settings.issues_a_minute
    if operation == "createNote":
        return "notes_create", settings.notes_a_minute
    if operation == "listIssues" and request.first("search"):
        return "search_rate_limit", settings.searches_a_minute
    return "", 0
