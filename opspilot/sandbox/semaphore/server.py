"""Sockets: reads requests, hands them on, sends back what is to be sent."""

from __future__ import annotations

import os
import socket
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any
from urllib.parse import parse_qsl

from opspilot.sandbox.semaphore import api, control, page, seed
from opspilot.sandbox.semaphore.control import Control
from opspilot.sandbox.semaphore.faults import FaultQueue
from opspilot.sandbox.semaphore.gate import Delivery, Gate, Reply
from opspilot.sandbox.semaphore.messages import RefusedError, Request, refused
from opspilot.sandbox.semaphore.players import Players
from opspilot.sandbox.semaphore.request_log import RequestLog
from opspilot.sandbox.semaphore.runs import Runs
from opspilot.sandbox.semaphore.store import Store
from opspilot.sandbox.semaphore.tokens import Tokens

HOST = "127.0.0.1"
_BODY_LIMIT = 8 * 1024 * 1024


@dataclass(frozen=True)
class Sandbox:
    store: Store
    runs: Runs
    gate: Gate
    control: Control

    def reply(self, request: Request) -> Reply:
        if request.path.startswith(f"{api.PREFIX}/"):
            return self.gate.reply(request)
        try:
            if request.path.startswith(f"{control.PREFIX}/"):
                return Reply(self.control.answer(request))
            return Reply(page.answer(request, self.runs))
        except RefusedError as refusal:
            return Reply(refusal.answer)


def open_sandbox(*, data: Path, token: str, first: dict[str, Any]) -> Sandbox:
    """Opens or makes the data folder; `first` is sown only into an empty one."""
    data.mkdir(parents=True, exist_ok=True)
    store = Store(data / "semaphore.sqlite3")
    if not store.value("seeded"):
        with store.transaction():
            seed.sow(store, first)
    log = RequestLog(data / "requests.log", token, store.clock)
    runs, queue = Runs(store, Players(data)), FaultQueue()
    gate = Gate(runs, log, queue, Tokens(token))
    return Sandbox(store, runs, gate, Control(runs, log, queue, first))


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, sandbox: Sandbox) -> None:
        super().__init__((HOST, port), Handler)
        self.sandbox = sandbox

    def server_bind(self) -> None:
        # Past the parent, which asks DNS for the host's name and may wait seconds for it.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is the client's affair; anything else is shown."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server
    wbufsize = -1
    disable_nagle_algorithm = True

    def answer(self) -> None:
        try:
            reply = self.server.sandbox.reply(self._request())
        except RefusedError as refusal:
            self.close_connection = True
            reply = Reply(refusal.answer)
        self._send(reply)

    # The parent looks methods up by these names.
    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = answer  # noqa: N815
    do_DELETE = do_OPTIONS = do_TRACE = answer  # noqa: N815

    def version_string(self) -> str:
        return "sandbox-semaphore"

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the request log is the record."""

    def _request(self) -> Request:
        path, _, query = self.path.partition("?")
        return Request(
            method=self.command,
            path=path,
            query=tuple(parse_qsl(query, keep_blank_values=True)),
            target=self.path,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self._body(),
        )

    def _body(self) -> bytes:
        if "transfer-encoding" in self.headers:
            raise refused(411)
        length = self.headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            raise refused(400)
        if int(length[:12]) > _BODY_LIMIT:
            raise refused(413)
        return self.rfile.read(int(length))

    def _send(self, reply: Reply) -> None:
        if not reply.answered:
            self._break_off(reply.delivery)
            return
        answer = reply.answer
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            cut = reply.delivery is Delivery.CUT
            self.wfile.write(answer.body[: len(answer.body) // 2] if cut else answer.body)
        self.wfile.flush()
        if reply.delivery is Delivery.CUT:
            self._hang_up()

    def _break_off(self, delivery: Delivery) -> None:
        if delivery is Delivery.NONE:
            self._hang_up()
            return
        # No orderly end: with nothing to linger for, the kernel sends a reset.
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())

    def _hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):  # the client may have left first
            self.connection.shutdown(socket.SHUT_RDWR)
