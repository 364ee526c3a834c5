"""A witness between this console and a real remote: a process of its own that passes every request
through and keeps what went by.

Run as a module. The real token is known to this process alone: whoever asks shows another one, made
for the run, and gets nothing without it.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

KEPT = "/_recorded"
LOOK = "X-Look"  # set by who checks, not by the console; it stays here
MARKER = re.compile(rb"opk[0-9a-f]{32}")
MOST = 4 * 1024 * 1024  # bytes of a body
_OURS = {LOOK.lower(), "host", "authorization", "connection", "content-length", "accept-encoding"}
_THEIRS = {"connection", "content-length", "content-encoding", "transfer-encoding", "keep-alive"}


class Recorder(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *, upstream: str, token: str, pass_token: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = upstream.rstrip("/")
        self.passes = f"Bearer {pass_token}"
        self.client = httpx.Client(
            headers={"Authorization": f"Bearer {token}"}, timeout=30.0, trust_env=False
        )
        self._lock = threading.Lock()
        self._entries: list[dict[str, Any]] = []

    def keep(self, entry: dict[str, Any]) -> None:
        with self._lock:
            self._entries.append(entry)

    def entries(self) -> bytes:
        with self._lock:
            return json.dumps(self._entries).encode()


class _Handler(BaseHTTPRequestHandler):
    server: Recorder

    def log_message(self, format: str, *args: Any) -> None:
        return None

    def do_GET(self) -> None:
        self._pass()

    def do_POST(self) -> None:
        self._pass()

    def do_PUT(self) -> None:
        self._pass()

    def do_DELETE(self) -> None:
        self._pass()

    def _pass(self) -> None:
        if self.headers.get("Authorization") != self.server.passes:
            self._answer(401, {}, b"")
        elif self.path == KEPT:
            self._answer(200, {"Content-Type": "application/json"}, self.server.entries())
        else:
            self._forward(self.rfile.read(min(MOST, int(self.headers.get("Content-Length") or 0))))

    def _forward(self, body: bytes) -> None:
        """No answer from there is no answer from here."""
        headers = {k: v for k, v in self.headers.items() if k.lower() not in _OURS}
        found = MARKER.search(body)
        entry: dict[str, Any] = {
            "at": dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds"),
            "method": self.command,
            "path": self.path,
            "status": 0,
            "look": LOOK in self.headers,
            "marker": found[0].decode() if found else "",
        }
        try:
            answer = self.server.client.request(
                self.command, self.server.upstream + self.path, headers=headers, content=body
            )
        except httpx.TransportError:
            self.server.keep(entry)
            self.close_connection = True
            return
        self.server.keep(entry | {"status": answer.status_code})
        kept = {k: v for k, v in answer.headers.items() if k.lower() not in _THEIRS}
        self._answer(answer.status_code, kept, answer.content)

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    """By environment, so that no token is in the process list."""
    server = Recorder(
        upstream=os.environ["OPSPILOT_RECORDED_URL"],
        token=os.environ["OPSPILOT_RECORDED_TOKEN"],
        pass_token=os.environ["OPSPILOT_RECORDER_TOKEN"],
    )
    print(f"ready on 127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
