"""A door to the console that drops the connection in the middle of one file."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

HOST = "127.0.0.1"
PIECE = 16 * 1024


@dataclass
class Door:
    """Passes everything on, except that what carries `marker` is cut after `after` bytes."""

    target: int
    marker: bytes
    after: int
    cutting: bool = True
    cuts: int = 0
    listener: socket.socket = field(default_factory=lambda: socket.create_server((HOST, 0)))

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def serve(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, _ = self.listener.accept()
                server = socket.create_connection((HOST, self.target))
                for pump in ((self._to_server, client, server), (_pass_on, server, client)):
                    threading.Thread(target=pump[0], args=pump[1:], daemon=True).start()

    def _to_server(self, client: socket.socket, server: socket.socket) -> None:
        carried, found = 0, False
        with suppress(OSError):
            while piece := client.recv(PIECE):
                found = found or (self.cutting and self.marker in piece)
                carried += len(piece) if found else 0
                if carried > self.after:
                    self.cuts += 1
                    break
                server.sendall(piece)
        _close(client, server)


@contextmanager
def door(target: int, *, marker: bytes, after: int) -> Iterator[Door]:
    made = Door(target, marker, after)
    threading.Thread(target=made.serve, daemon=True).start()
    try:
        yield made
    finally:
        _close(made.listener)


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(PIECE):
            sink.sendall(piece)
    _close(source, sink)


def _close(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
