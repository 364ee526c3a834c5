"""One JSON line per API request, on disk before the answer leaves. Never holds the token."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from opspilot.sandbox.gitlab.clock import Clock
from opspilot.sandbox.gitlab.messages import Answer, Request
from opspilot.sandbox.gitlab.model import stamp

# In a JSON body the line break before it is two characters, and the second is a letter.
_MARKER = re.compile(rb"(?:(?<=\\n)|(?<![0-9A-Za-z]))opk[0-9a-f]{32}(?![0-9A-Za-z])")


class RequestLog:
    def __init__(self, path: Path, token: str, clock: Clock) -> None:
        self._path = path
        self._token = token
        self._clock = clock
        self._lock = threading.Lock()

    def write(
        self,
        request: Request,
        answer: Answer,
        *,
        user_id: int | None,
        operation: str,
        fault: str | None,
        answered: bool,
    ) -> None:
        """`user_id` None: the token is not the bot's. Status null: no answer went out."""
        entry = {
            "time": stamp(self._clock.now()),
            "user_id": user_id,
            "method": request.method,
            "path": request.path,
            "query": request.target.partition("?")[2].replace(self._token, "[token]"),
            "operation": operation,
            "body_sha256": hashlib.sha256(request.body).hexdigest(),
            "marker": _marker(request),
            "status": answer.status if answered else None,
            "issue_iid": answer.stored_iid,
            "side_effects": [asdict(trace) for trace in answer.traces],
            "fault": fault,
            "headers": sorted(request.headers),
        }
        self._append(entry)

    def entries(self) -> list[dict[str, Any]]:
        with self._lock:
            text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        return [json.loads(line) for line in text.splitlines() if line.endswith("}")]

    def clear(self) -> None:
        with self._lock:
            self._path.write_text("", encoding="utf-8")

    def _append(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry) + "\n"
        with self._lock, self._path.open("a", encoding="utf-8") as log:
            log.write(line)


def _marker(request: Request) -> str | None:
    found = _MARKER.search(request.body) or _MARKER.search(request.target.encode())
    return found.group().decode() if found else None
