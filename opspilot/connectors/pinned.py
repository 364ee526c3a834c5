"""Connections to addresses that were checked, each with one deadline from its first moment on.

The name is resolved once a connection and is still what the certificate has to be for; whatever it
would answer a moment later is not asked. No step on the connection outlasts what is left of the whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from ssl import SSLContext
from typing import Any

import httpcore

CONNECT = 3.0  # seconds for each of the addresses
MAX_ADDRESSES = 3
Resolve = Callable[[str, int, float], Sequence[str]]
"""(host, port, deadline) → the addresses that may be connected to; raises a ConnectorError."""


class Pinned(httpcore.NetworkBackend):
    """`whole` seconds from the name to the last byte: one connection serves one exchange."""

    def __init__(self, resolve: Resolve, *, whole: float) -> None:
        self._resolve, self._whole = resolve, whole

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        deadline = time.monotonic() + self._whole
        last: Exception = httpcore.ConnectError("no address")
        for address in self._resolve(host, port, deadline)[:MAX_ADDRESSES]:
            try:
                wait = min(CONNECT, _left(deadline, httpcore.ConnectTimeout))
                stream = httpcore.SyncBackend().connect_tcp(address, port, timeout=wait)
                return _Bounded(stream, deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as exc:
                last = exc
        raise last


class _Bounded(httpcore.NetworkStream):
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
