"""The one door to HTTP: no redirects, bounded time and size, failures sorted by next move."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from opspilot.connectors.errors import NotSentError, OutcomeUnknownError

MAX_BODY = 8 * 1024 * 1024  # bytes of an answer we are willing to read

_NOT_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.LocalProtocolError,
    httpx.UnsupportedProtocol,
)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """The parsed body; an unreadable one leaves the outcome unknown."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError) as exc:
            raise OutcomeUnknownError("the answer is not JSON") from exc


class BoundedClient:
    """An httpx client for one remote, whole requests bounded by `timeout` seconds."""

    def __init__(
        self,
        *,
        base_url: str,
        token: str,
        timeout: float,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._timeout = timeout
        self._client = httpx.Client(
            base_url=base_url,
            headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
            timeout=httpx.Timeout(timeout, connect=min(5.0, timeout)),
            follow_redirects=False,
            trust_env=False,
            transport=transport,
        )

    def request(self, method: str, path: str, **arguments: Any) -> Answer:
        """One exchange. Raises NotSentError or OutcomeUnknownError, never an httpx error."""
        deadline = time.monotonic() + self._timeout
        try:
            with self._client.stream(method, path, **arguments) as response:
                content = _read(response, deadline)
                return Answer(response.status_code, dict(response.headers), content)
        except _NOT_SENT as exc:
            raise NotSentError("the remote could not be reached") from exc
        except (httpx.RequestError, httpx.StreamError) as exc:
            raise OutcomeUnknownError("the answer was lost") from exc


def _read(response: httpx.Response, deadline: float) -> bytes:
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        size += len(part)
        if size > MAX_BODY or time.monotonic() > deadline:
            raise OutcomeUnknownError("the answer is too long or too slow")
        parts.append(part)
    return b"".join(parts)
