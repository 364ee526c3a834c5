"""Who may call. A token is its own id, has no scope and no end date."""

from __future__ import annotations

import hmac
import secrets
import threading

from opspilot.sandbox.semaphore.messages import Request, refused
from opspilot.sandbox.semaphore.model import Record, Settings


class Tokens:
    """The one given at the start, and those made over the API. In memory: none reaches a file."""

    def __init__(self, first: str) -> None:
        self._lock = threading.Lock()
        self._first = first
        self._known = {first: "2026-01-01T00:00:00.000Z"}

    def check(self, request: Request, settings: Settings) -> None:
        """Older releases lower-case the whole header, so only lower-case tokens let in."""
        header = request.headers.get("authorization", "")
        header = header if settings.modern else header.lower()
        scheme, _, shown = header.partition(" ")
        if scheme.lower() != "bearer" or settings.token_expired or not self._has(shown.strip()):
            raise refused(401)

    def _has(self, shown: str) -> bool:
        with self._lock:
            known = list(self._known)
        return any(hmac.compare_digest(shown.encode(), token.encode()) for token in known)

    def every(self, user_id: int) -> list[Record]:
        with self._lock:
            return [_shape(token, created, user_id) for token, created in self._known.items()]

    def make(self, user_id: int, created: str) -> Record:
        token = secrets.token_hex(20)
        with self._lock:
            self._known[token] = created
        return _shape(token, created, user_id)

    def expire(self, token: str) -> bool:
        """The first one stays: the sandbox would be closed for good."""
        with self._lock:
            if token == self._first:
                return True
            return self._known.pop(token, None) is not None


def _shape(token: str, created: str, user_id: int) -> Record:
    return {"id": token, "created": created, "expired": False, "user_id": user_id}
