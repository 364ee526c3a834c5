"""The one door of webhooks and callbacks: signed, to listed places, by the address that was checked.

No redirect is followed, no proxy of the environment is used, no answer is read beyond a few bytes,
and the whole exchange has one deadline, however slowly the other side speaks.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterable, Sequence
from functools import cache
from ssl import SSLContext
from typing import Any

import httpcore
import httpx
from django.conf import settings
from standardwebhooks import Webhook

from opspilot.connectors import egress
from opspilot.connectors.errors import (
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
)

WHOLE = 10.0  # seconds, from the first connection to the last byte read
CONNECT = 3.0  # seconds for each of the addresses
MAX_ADDRESSES = 3
MAX_ANSWER = 16 * 1024  # bytes read of what nobody looks at
GONE = 410
_NOT_SENT = (
    httpcore.ConnectError,
    httpcore.ConnectTimeout,
    httpcore.UnsupportedProtocol,
    httpcore.LocalProtocolError,
)


def send(*, url: str, message_id: str, body: str, secrets: Sequence[str], at: dt.datetime) -> None:
    """Post one signed message. `message_id` is the same at every try, so the other side can tell.

    Raises NotAllowedError and NotSentError (nothing left), RefusedByRemoteError (any answer but
    2xx, with its status) or OutcomeUnknownError (no answer that can be read).
    """
    wanted = egress.place(url, allowed=settings.OPSPILOT_EGRESS_HTTP)
    found = egress.addresses(wanted)[:MAX_ADDRESSES]
    backend = _Pinned(found, deadline=time.monotonic() + WHOLE)
    headers = signed(message_id=message_id, body=body, secrets=secrets, at=at)
    with httpcore.ConnectionPool(
        ssl_context=_trusted(), network_backend=backend, http2=False, max_connections=1
    ) as pool:
        status = _exchange(pool, wanted, headers, body.encode())
    if not 200 <= status < 300:
        raise RefusedByRemoteError("the destination did not accept the message", status)


def signed(
    *, message_id: str, body: str, secrets: Sequence[str], at: dt.datetime
) -> dict[str, str]:
    """The headers of Standard Webhooks; during a rotation one signature by each secret."""
    moment = at.astimezone(dt.UTC)
    signatures = [Webhook(secret).sign(message_id, moment, body) for secret in secrets]
    return {
        "content-type": "application/json",
        "user-agent": "OpsPilot",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _exchange(
    pool: httpcore.ConnectionPool, wanted: egress.Place, headers: dict[str, str], body: bytes
) -> int:
    url = httpcore.URL(
        scheme=wanted.scheme, host=wanted.host.strip("[]"), port=wanted.port, target=wanted.target
    )
    limits = dict.fromkeys(("connect", "read", "write", "pool"), WHOLE)
    pairs: list[tuple[bytes | str, bytes | str]] = list(headers.items())
    try:
        with pool.stream(
            "POST", url, headers=pairs, content=body, extensions={"timeout": limits}
        ) as response:
            _read(response.iter_stream())
            return int(response.status)
    except _NOT_SENT as exc:
        raise NotSentError("the destination could not be reached") from exc
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as exc:
        raise OutcomeUnknownError("the answer was lost") from exc


def _read(parts: Iterable[bytes]) -> None:
    """To its end when that is near: what is longer is cut off by closing the connection."""
    size = 0
    for part in parts:
        size += len(part)
        if size > MAX_ANSWER:
            return


@cache
def _trusted() -> SSLContext:
    return httpx.create_ssl_context(trust_env=False)


class _Pinned(httpcore.NetworkBackend):
    """Connects to the addresses that were checked, whatever the name would answer now. The name
    is still what the certificate has to be for."""

    def __init__(self, addresses: Sequence[str], *, deadline: float) -> None:
        self._addresses, self._deadline = addresses, deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        last: Exception = httpcore.ConnectError("no address")
        for address in self._addresses:
            try:
                wait = min(CONNECT, _left(self._deadline, httpcore.ConnectTimeout))
                stream = httpcore.SyncBackend().connect_tcp(address, port, timeout=wait)
                return _Bounded(stream, self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as exc:
                last = exc
        raise last


class _Bounded(httpcore.NetworkStream):
    """A connection on which no single step outlasts what is left of the whole."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, timeout=_left(self._deadline, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout=_left(self._deadline, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(self._deadline, httpcore.ConnectTimeout)
        stream = self._stream.start_tls(ssl_context, server_hostname, timeout=left)
        return _Bounded(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(deadline: float, too_late: type[Exception]) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise too_late("the whole time is used up")
    return left
