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
from tests.web.crawl import Pieces, Visit, crawl
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


@pytest.fixture(autouse=True)
def at_a_desk() -> None:
    """The session's people are shared: no test finds them where another one left them."""
    Person.all_at_a_desk()


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
def conformidade(console: Instance, chromium: Browser) -> Person:
    return Person(chromium, console).log_in("conformidade1.aurora")


@pytest.fixture(scope="session")
def admin(console: Instance, chromium: Browser) -> Person:
    return Person(chromium, console).log_in("admin1.aurora")


@pytest.fixture
def everybody(
    operador: Person,
    aprovador: Person,
    auditor: Person,
    conformidade: Person,
    admin: Person,
    visitor: Person,
) -> dict[str, Person]:
    """Who crawled the console, by name."""
    people = (operador, aprovador, auditor, conformidade, admin, visitor)
    return {person.name: person for person in people}


@pytest.fixture(scope="session")
def stranger(console: Instance, chromium: Browser) -> Person:
    return Person(chromium, console).log_in("aprovador1.boreal")


@pytest.fixture(scope="session")
def requester(console: Instance, chromium: Browser) -> Person:
    """Who asks in the stranger's company, whose queue no other test fills."""
    return Person(chromium, console).log_in("operador1.boreal")


@pytest.fixture(scope="session")
def model(requester: Person) -> str:
    """Address of the proposal of which `queueing` makes copies."""
    return acts.command(requester, title="Rever os limites do alerta", project="redes")


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
def held(admin: Person) -> str:
    """Address of a file in quarantine."""
    acts.await_runbooks(admin)
    return acts.hold_a_file(admin)


@pytest.fixture(scope="session")
def visits(
    console: Instance,
    chromium: Browser,
    operador: Person,
    aprovador: Person,
    auditor: Person,
    conformidade: Person,
    admin: Person,
    answered: str,
    abstained: str,
    proposed: str,
    executed: str,
    held: str,
) -> list[Visit]:
    """Every kind of page each of these people can reach by links, looked at once as each of them."""
    visitor = Person(chromium, console)
    starts = {
        operador: ["/", answered, abstained, proposed, "/busca/", "/busca/?q=liquidacao"],
        aprovador: ["/", "/aprovacoes/", proposed, executed],
        auditor: ["/", "/trilha/", "/trilha/entidades/", executed, "/perguntar/"],
        conformidade: ["/", executed],
        admin: ["/", "/conhecimento/", held, "/nada-aqui/"],
        visitor: ["/conta/entrar/"],
    }
    known = Pieces()
    return [visit for person, paths in starts.items() for visit in crawl(person, paths, known)]
