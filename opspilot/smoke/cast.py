"""Everybody and everything a smoke run knows: five people, the sandbox, the database, two requests."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from opspilot.bootstrap.instance import Instance
from opspilot.smoke.database import Database
from opspilot.smoke.expectation import UnmetError
from opspilot.smoke.pages import Form
from opspilot.smoke.people import Person
from opspilot.smoke.sandbox import Sandbox

TENANT = "aurora"
CUSTOMER = "529.982.247-25"  # a valid number that belongs to nobody: every manual's example


@dataclass
class Request:
    """One proposal as its requester and its approver saw it."""

    run: str
    url: str  # of the proposal's page
    hash: str
    marker: str = ""
    action: dict[str, object] = field(default_factory=dict)
    second_tab: Form | None = None  # the approver's own page, opened before the decision

    @property
    def description(self) -> str:
        """What the remote must hold: the text the approver read and the marker below it."""
        return f"{self.action['description']}\n\n{self.marker}"


@dataclass
class Cast:
    operador: Person
    aprovador: Person
    auditor: Person
    admin: Person
    stranger: Person
    sandbox: Sandbox
    database: Database
    made_up: str = field(default_factory=lambda: f"Ipê{uuid.uuid4().int % 10**6:06d}")
    answered: str = ""  # the page of the answer with a citation
    _requests: dict[str, Request] = field(default_factory=dict)

    def keep(self, name: str, request: Request) -> None:
        self._requests[name] = request

    def request(self, name: str) -> Request:
        if name not in self._requests:
            raise UnmetError(f"an earlier step made no {name}")
        return self._requests[name]


@contextmanager
def assembled(console: Instance) -> Iterator[Cast]:
    """Everybody logged in with a browser of their own."""
    with ExitStack() as stack:

        def person(username: str) -> Person:
            found = stack.enter_context(Person(console.url, username))
            found.log_in(console.demo_password)
            return found

        sandbox = Sandbox(console.sandbox_url)
        stack.callback(sandbox.close)
        yield Cast(
            operador=person(f"operador1.{TENANT}"),
            aprovador=person(f"aprovador1.{TENANT}"),
            auditor=person(f"auditor1.{TENANT}"),
            admin=person(f"admin1.{TENANT}"),
            stranger=person("aprovador1.boreal"),
            sandbox=sandbox,
            database=Database(console.env["DATABASE_URL"]),
        )
