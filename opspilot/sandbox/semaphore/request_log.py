"""One JSON line per API request, on disk before the answer leaves. Never holds the token."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path
from typing import Any

from opspilot.sandbox.semaphore.clock import Clock
from opspilot.sandbox.semaphore.messages import Request

# What decides where and what a task runs; values of variables are not kept.
_ASKED = ("template_id", "limit", "params", "playbook", "arguments", "inventory_id", "message")


class RequestLog:
    def __init__(self, path: Path, token: str, clock: Clock) -> None:
        self._path, self._token, self._clock = path, token, clock
        self._lock = threading.Lock()

    def write(
        self,
        request: Request,
        *,
        operation: str,
        fault: str | None,
        status: int | None,
        stored_id: int | None,
    ) -> None:
        """`status` None: the connection closes without an answer."""
        asked = _asked(request) if operation == "startTask" else {}
        entry = {
            "time": self._clock.stamp(),
            "method": request.method,
            "path": request.path,
            "query": request.target.partition("?")[2].replace(self._token, "[token]"),
            "operation": operation,
            "body_sha256": hashlib.sha256(request.body).hexdigest(),
            "marker": asked.get("message"),
            "asked": asked,
            "status": status,
            "task_id": stored_id,
            "fault": fault,
            "headers": sorted(request.headers),
        }
        line = json.dumps(entry).replace(self._token, "[token]") + "\n"
        with self._lock, self._path.open("a", encoding="utf-8") as log:
            log.write(line)

    def entries(self) -> list[dict[str, Any]]:
        with self._lock:
            text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        return [json.loads(line) for line in text.splitlines() if line.endswith("}")]

    def clear(self) -> None:
        with self._lock:
            self._path.write_text("", encoding="utf-8")


def _asked(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(body, dict):
        return {}
    return {name: body[name] for name in _ASKED if name in body} | {"names": sorted(body)}
