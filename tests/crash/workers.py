"""The test's side of `one_worker`: start a worker with its order, and hear how it ended."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from opspilot.bootstrap.datadir import PROJECT
from tests.crash.orders import Order

KILLED = -signal.SIGKILL
_PATIENCE = 150.0


@dataclass
class Worker:
    """`pid` is known as soon as it has begun."""

    pid: int = 0
    begun: threading.Event = field(default_factory=threading.Event)
    _ended: queue.SimpleQueue[int] = field(default_factory=queue.SimpleQueue)

    def take(self, said: Mapping[str, int]) -> None:
        if "ended" in said:
            self._ended.put(said["ended"])
        else:
            self.pid = said["pid"]
            self.begun.set()

    def end(self) -> int:
        """Its exit code: negative is the signal that killed it."""
        return self._ended.get(timeout=_PATIENCE)

    def continue_(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def is_stopped(self) -> bool:
        stat = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8")
        return stat.rpartition(")")[2].split()[0] == "T"


class Workers:
    """`environ`: what a worker process is given, and nothing beside it."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._numbers, self._lock = count(1), threading.Lock()
        self._workers: dict[int, Worker] = {}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.one_worker"],
            cwd=PROJECT,
            env=dict(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._listen)
        self._reader.start()

    def start(self, **order: Any) -> Worker:
        """Returns once the process exists."""
        worker = Worker()
        with self._lock:
            number = next(self._numbers)
            self._workers[number] = worker
            assert self._process.stdin is not None
            self._process.stdin.write(Order(number=number, **order).line())
            self._process.stdin.flush()
        assert worker.begun.wait(_PATIENCE), "the worker did not begin"
        return worker

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(_PATIENCE)
        self._reader.join(_PATIENCE)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                said: dict[str, int] = json.loads(line)
                self._workers[said["number"]].take(said)
