"""A real HTTP server on loopback, in a thread, that keeps what it was sent."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Seen:
    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """`answers` says what comes back; `endless` and `drips` are two ways of never finishing."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.status, self.headers = 204, dict[str, str]()
        self.endless, self.drips = False, 0.0
        handler = type("Handler", (_Handler,), {"receiver": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )
        self._thread.start()
        self.on = True

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answers(self, status: int, *, headers: dict[str, str] | None = None) -> None:
        self.status, self.headers = status, headers or {}

    def stop(self) -> None:
        if self.on:
            self.on = False
            self._server.shutdown()
            self._server.server_close()
            self._thread.join(5)


@contextmanager
def receiving() -> Iterator[Receiver]:
    found = Receiver()
    try:
        yield found
    finally:
        found.stop()


class _Handler(BaseHTTPRequestHandler):
    receiver: Receiver

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.receiver.seen.append(Seen(self.path, headers, self.rfile.read(length)))
        try:
            self._answer()
        except OSError:  # the sender had enough of it
            self.close_connection = True

    def _answer(self) -> None:
        if self.receiver.drips:
            _drip(self.connection, self.receiver.drips)
        self.send_response(self.receiver.status)
        for name, value in self.receiver.headers.items():
            self.send_header(name, value)
        if not self.receiver.endless:
            self.send_header("Content-Length", "0")
        self.end_headers()
        while self.receiver.endless and self.receiver.on:
            self.wfile.write(b"x" * 65536)

    def log_message(self, *_arguments: Any) -> None:
        """A test's output is not the place for it."""


def _drip(connection: socket.socket, pause: float) -> None:
    """One byte of a status line at a time: each comes in time, the whole never does."""
    for byte in b"HTTP/1.1 200 OK" * 20:
        connection.sendall(bytes([byte]))
        time.sleep(pause)
