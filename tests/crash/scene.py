"""What a crash test does: ask for an issue, kill something, let the supervisor work, look at the end."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx

from opspilot.bootstrap import postgres, postmaster
from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.signals import StopSignal
from opspilot.bootstrap.supervisor import Supervisor
from opspilot.smoke.cast import TENANT, Cast, Request
from opspilot.smoke.deciding import approve, read
from opspilot.smoke.pages import Page
from opspilot.smoke.people import Person
from opspilot.smoke.requesting import confirm

GLANCE = 0.3
PATIENCE = 60.0


@dataclass
class Scene:
    console: Instance
    cast: Cast
    supervisor: Supervisor = field(init=False)

    def __post_init__(self) -> None:
        self.supervisor = Supervisor(self.console, StopSignal())

    def make_whole(self) -> None:
        """Whatever the test before has left: everything runs and no fault waits."""
        postgres.start(self.console.data.root)
        for name in ("sandbox", "semaphore", "worker", "web"):
            if self.console.children[name].ended():
                self.console.restart(name)
        self.cast.sandbox.forget_faults()

    def asked(self) -> Request:
        """An explicit command, confirmed by its requester and read by its approver."""
        page = self.cast.operador.open("/rodadas/comando/")
        request = confirm(self.cast.operador, page, "Trocar o filtro da bomba.")
        read(self.cast.aprovador, request)
        return request

    def approve(self, request: Request) -> Page:
        return approve(self.cast.aprovador, request)

    def kill(self, name: str) -> None:
        """kill -9, of the server's main process or of a child and all of its session."""
        if name == "database":
            assert self.console.server is not None
            assert postmaster.send(self.console.server.cluster_dir, signal.SIGKILL)
            return
        child = self.console.children[name]
        os.killpg(child.pid, signal.SIGKILL)
        assert child.process is not None
        child.process.wait(5)

    def wait(self, holds: Callable[[], bool], what: str) -> None:
        """As `up` does meanwhile: the supervisor brings back whatever has ended."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, f"{what}: not within {PATIENCE:.0f} s"
            self.supervisor.glance(time.monotonic())
            time.sleep(GLANCE)

    def says(self, request: Request, words: str) -> None:
        """The approver's page comes to say so, however often it does not answer before."""
        self.wait(lambda: words in self.seen(request.url), f"the page says “{words}”")

    def seen(self, url: str) -> str:
        """The part of the proposal's page that moves; empty while the console does not answer."""
        page = _opened(self.cast.aprovador, url)
        return page.by_id("andamento").text if page else ""

    def text_of(self, url: str) -> str:
        """Empty while the console does not answer."""
        page = _opened(self.cast.operador, url)
        return page.text if page else ""

    def issues(self, request: Request) -> int:
        return len(self.cast.sandbox.issues(request.marker))

    def sent(self, request: Request) -> int:
        """How many requests to create it reached the remote."""
        entries = self.cast.sandbox.creations()
        return len([entry for entry in entries if entry["marker"] == request.marker])

    def trail(self, correlation: str, action: str, result: str) -> int:
        rows = self.cast.database.rows(
            "SELECT count(*) FROM agente_acao"
            " WHERE correlacao_id = %s AND acao = %s AND resultado = %s",
            [correlation, action, result],
            tenant=TENANT,
        )
        return int(rows[0][0])


def _opened(person: Person, url: str) -> Page | None:
    try:
        page = person.open(url)
    except httpx.TransportError:
        return None
    return page if page.status == 200 else None
