"""Where the worker of a crash run dies: at a point of the product, or inside its one exchange.

The request with an effect is the only POST a worker sends; all else it asks the remote is read.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from ssl import SSLContext
from typing import Any
from unittest.mock import patch

import httpcore
from django.conf import settings

from approvals.execution import points
from opspilot.connectors import mail
from opspilot.connectors.pinned import Pinned
from tests.crash.orders import Order

CREATING = ("createIssue", "startTask")
PATIENCE = 60.0  # seconds for the remote to have noted the request
_GLANCE = 0.01


class Fate:
    """The end of this process, or its standstill: once, at the ordered moment."""

    def __init__(self, order: Order) -> None:
        self.order, self._met = order, False

    def reach(self, point: str) -> None:
        if point != self.order.point or self._met:
            return
        self._met = True
        os.kill(os.getpid(), signal.SIGKILL if self.order.act == "kill" else signal.SIGSTOP)

    def reach_once_noted(self, point: str) -> None:
        """As soon as the remote has decided, whatever it then says or keeps to itself."""
        deadline = time.monotonic() + PATIENCE
        while point == self.order.point and not self._met and time.monotonic() < deadline:
            if _noted(Path(self.order.log), self.order.marker):
                self.reach(point)
            time.sleep(_GLANCE)


def arm(order: Order) -> None:
    """For the life of this process."""
    fate = Fate(order)
    if order.act == "kill":
        settings.OPSPILOT_KILL_POINT = order.point
    else:
        patch.object(points, "reach", fate.reach).start()
    _watch_connections(fate)
    _watch_letters(fate)


def _watch_connections(fate: Fate) -> None:
    connect: Callable[..., httpcore.NetworkStream] = Pinned.connect_tcp

    def connect_tcp(self: Pinned, *given: Any, **named: Any) -> httpcore.NetworkStream:
        return _Watched(connect(self, *given, **named), fate)

    patch.object(Pinned, "connect_tcp", connect_tcp).start()


def _watch_letters(fate: Fate) -> None:
    send = mail.send

    def sent(letter: mail.Letter) -> None:
        send(letter)
        fate.reach("outbox_sent_unmarked")

    patch.object(mail, "send", sent).start()


class _Watched(httpcore.NetworkStream):
    """httpcore writes the head of a request first, then its body."""

    def __init__(self, stream: httpcore.NetworkStream, fate: Fate) -> None:
        self._stream, self._fate = stream, fate
        self._writes = self._is_creation = False

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if not self._writes:
            self._writes, self._is_creation = True, buffer.startswith(b"POST ")
            if self._is_creation:
                self._fate.reach("connected")
            self._stream.write(buffer, timeout)
        elif self._is_creation and buffer:
            self._write_body(buffer, timeout)
        else:
            self._stream.write(buffer, timeout)

    def _write_body(self, body: bytes, timeout: float | None) -> None:
        half = len(body) // 2
        self._stream.write(body[:half], timeout)
        self._fate.reach("half_sent")
        self._stream.write(body[half:], timeout)
        self._fate.reach("sent")
        self._fate.reach_once_noted("remote_committed")

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        return self._stream.start_tls(ssl_context, server_hostname, timeout)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _noted(log: Path, marker: str) -> bool:
    """Whether the remote's log, written before its answer leaves, has the request."""
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return any(marker in line and any(name in line for name in CREATING) for line in lines)
