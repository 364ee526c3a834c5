"""The door behind a real socket, in this process: for programs that ask it from outside."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.core.wsgi import get_wsgi_application
from django.db import connections


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """A thread of its own for each, so it takes its connection along."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            connections.close_all()


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_args: object) -> None:
        """Nothing is printed."""


class _Counted:
    def __init__(self, statuses: Counter[int]) -> None:
        self._app, self._statuses = get_wsgi_application(), statuses

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        def noted(status: str, headers: Any, *more: Any) -> Any:
            self._statuses[int(status[:3])] += 1
            return start(status, headers, *more)

        return self._app(environ, noted)


@contextmanager
def open_door(statuses: Counter[int] | None = None) -> Iterator[str]:
    """Its address; until the end of the block. `statuses` counts what it answers."""
    app = _Counted(Counter() if statuses is None else statuses)
    server = make_server("127.0.0.1", 0, app, _Server, _Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
