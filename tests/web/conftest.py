"""One throw-away console and one Chromium for all of these tests; a browser context per person."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from opspilot.bootstrap import postgres
from opspilot.bootstrap.instance import Instance, instance
from opspilot.bootstrap.testing import scratch
from tests.web import acts
from tests.web.crawl import Visit, crawl
from tests.web.people import Person

ARGUMENTS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Last: Playwright leaves an event loop running in this thread, which Django's ORM refuses."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def binary() -> str:
    found = os.environ.get("OPSPILOT_BROWSER", "")
    if not found:
        reason = "OPSPILOT_BROWSER is empty: no Chromium to drive the console with"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(reason)
        print(reason)
        pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def console(binary: str) -> Iterator[Instance]:
    folder = Path(tempfile.mkdtemp(prefix="opspilot-web-", dir=scratch()))
    folder.chmod(0o711)  # the database's own user passes through
    try:
        with instance(folder) as running:
            yield running
    finally:
        postgres.remove(folder)


@pytest.fixture(scope="session")
def chromium(binary: str) -> Iterator[Browser]:
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=[*ARGUMENTS, *sandbox])
        yield browser
        browser.close()


@pytest.fixture
def visitor(console: Instance, chromium: Browser) -> Iterator[Person]:
    """Somebody who has not logged in."""
    person = Person(chromium, console)
    yield person
    person.leave()


@pytest.fixture(scope="session")
def operador(console: Instance, chromium: Browser) -> Person:
    return Person(chromium, console).log_in("operador1.aurora")


@pytest.fixture(scope="session")
def aprovador(console: Instance, chromium: Browser) -> Person:
    return Person(chromium, console).log_in("aprovador1.aurora")


@pytest.fixture(scope="session")
def second_aprovador(console: Instance, chromium: Browser) -> Person:
    return Person(chromium, console).log_in("aprovador2.aurora")


@pytest.fixture(scope="session")
def auditor(console: Instance, chromium: Browser) -> Person:
    return Person(chromium, console).log_in("auditor1.aurora")


@pytest.fixture(scope="session")
def admin(console: Instance, chromium: Browser) -> Person:
    return Person(chromium, console).log_in("admin1.aurora")


@pytest.fixture(scope="session")
def stranger(console: Instance, chromium: Browser) -> Person:
    return Person(chromium, console).log_in("aprovador1.boreal")


@pytest.fixture(scope="session")
def answered(admin: Person, operador: Person) -> str:
    """Address of a run that a runbook answers."""
    acts.await_runbooks(admin)
    return acts.ask(operador, acts.ANSWERABLE)


@pytest.fixture(scope="session")
def abstained(admin: Person, operador: Person) -> str:
    """Address of a run that no runbook answers."""
    acts.await_runbooks(admin)
    return acts.ask(operador, acts.UNANSWERABLE)


@pytest.fixture(scope="session")
def proposed(admin: Person, operador: Person) -> str:
    """Address of a proposal made from an answer, left undecided."""
    acts.await_runbooks(admin)
    return acts.propose(operador, acts.ask(operador, acts.ANSWERABLE))


@pytest.fixture
def pending(operador: Person) -> str:
    """Address of a proposal that waits for a decision."""
    return acts.command(operador, title="Rever os limites do alerta de disco")


@pytest.fixture(scope="session")
def executed(operador: Person, aprovador: Person) -> str:
    """Address of a proposal about a customer, carried out."""
    path = acts.command(operador, title="Conferir a baixa do cliente", document=acts.CUSTOMER)
    acts.approve(aprovador, path)
    acts.await_done(aprovador)
    return path


@pytest.fixture(scope="session")
def visits(
    operador: Person,
    aprovador: Person,
    auditor: Person,
    admin: Person,
    answered: str,
    proposed: str,
    executed: str,
) -> list[Visit]:
    """Every kind of page these people can reach by links, looked at once."""
    starts = {
        operador: ["/", answered, proposed],
        aprovador: ["/", "/aprovacoes/", proposed, executed],
        auditor: ["/trilha/entidades/", "/perguntar/"],
        admin: ["/conhecimento/", "/nada-aqui/"],
    }
    seen: set[str] = set()
    return [visit for person, paths in starts.items() for visit in crawl(person, paths, seen)]
