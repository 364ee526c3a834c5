"""Keeps web, worker, sandbox and the embedded server alive until asked to stop."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from opspilot.bootstrap import postgres
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.processes import Child
from opspilot.bootstrap.signals import StopSignal
from opspilot.bootstrap.surroundings import embedded_urls
from opspilot.bootstrap.terminal import say

LONGEST_WAIT = 30.0
STEADY = 60.0  # seconds a child must have lived for its failures to be forgotten
GLANCE = 0.5


@dataclass
class Backoff:
    failures: int = 0
    due: float | None = None

    def plan(self, now: float, *, lived: float) -> float:
        """Seconds until the next try: 1, 2, 4 … up to the longest wait."""
        self.failures = 1 if lived > STEADY else self.failures + 1
        wait: float = min(2.0 ** (self.failures - 1), LONGEST_WAIT)
        self.due = now + wait
        return wait


@dataclass
class Supervisor:
    console: Instance
    stop: StopSignal
    waiting: dict[str, Backoff] = field(default_factory=dict)
    database_since: float = field(default_factory=time.monotonic)

    def run(self) -> None:
        while not self.stop:
            self.glance(time.monotonic())
            self.stop.pause(GLANCE)

    def glance(self, now: float) -> None:
        self._database(now)
        for name, child in list(self.console.children.items()):
            self._child(name, child, now)

    def _child(self, name: str, child: Child, now: float) -> None:
        backoff = self.waiting.setdefault(name, Backoff())
        if backoff.due is None and child.ended():
            code = child.process.returncode if child.process else None
            wait = backoff.plan(now, lived=child.age())
            say(f"  {name} ended ({_meaning(code)}); starts again in {wait:.0f} s")
        elif backoff.due is not None and now >= backoff.due:
            backoff.due = None
            self.console.launch(name)

    def _database(self, now: float) -> None:
        server = self.console.server
        if server is None:
            return
        backoff = self.waiting.setdefault("database", Backoff())
        if backoff.due is None and not postgres.responds(server):
            wait = backoff.plan(now, lived=now - self.database_since)
            # The first time at once: everything else waits for it.
            backoff.due = now if backoff.failures == 1 else backoff.due
            say(f"  database ended; starts again in {0 if backoff.failures == 1 else wait:.0f} s")
        if backoff.due is not None and now >= backoff.due:
            self._restart_database(backoff, now)

    def _restart_database(self, backoff: Backoff, now: float) -> None:
        try:
            server = postgres.start(self.console.data.root)
        except BootstrapError as error:
            wait = backoff.plan(now, lived=0.0)
            say(f"  database did not start ({error.sentence}); again in {wait:.0f} s")
            return
        backoff.due, self.database_since = None, now
        say(f"  database is back on port {server.port}")
        if self.console.server and server.port != self.console.server.port:
            self._move_to(server)

    def _move_to(self, server: postgres.Server) -> None:
        """Another program has taken the old port: the children know only that one."""
        self.console.server, self.console.urls = server, embedded_urls(server)
        for name in list(self.console.children):
            self.console.launch(name)


def _meaning(code: int | None) -> str:
    if code is None:
        return "not running"
    return f"signal {-code}" if code < 0 else f"exit {code}"
