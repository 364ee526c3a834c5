"""Who decides: proving it again for a high risk, deciding in somebody's name, reviewing the list."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.sessions.serializers import JSONSerializer
from django.core import signing
from playwright.sync_api import Browser, expect

from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.people import Person
from tests.web.queueing import company, put_in_force

pytestmark = pytest.mark.browser

SALT = "django.contrib.sessions.SessionStore"


@contextmanager
def risk(console: Instance, project: str, *, inside: str, after: str) -> Iterator[None]:
    put_in_force(console, "boreal", project=project, risk=inside)
    yield
    put_in_force(console, "boreal", project=project, risk=after)


def grow_old(console: Instance, person: Person) -> None:
    """As if the person had logged in ten minutes ago."""
    key = next(c["value"] for c in person.context.cookies() if c["name"] == "sessionid")
    secret = console.settings["SECRET_KEY"]
    with company(console, "boreal") as connection:
        row = connection.execute(
            "SELECT session_data FROM django_session WHERE session_key = %s", [key]
        ).fetchone()
        assert row is not None
        data = signing.loads(str(row[0]), key=secret, salt=SALT, serializer=JSONSerializer)
        for record in data["account_authentication_methods"]:
            record["at"] -= 600
        text = signing.dumps(data, key=secret, salt=SALT, serializer=JSONSerializer, compress=True)
        connection.execute(
            "UPDATE django_session SET session_data = %s WHERE session_key = %s", [text, key]
        )


@pytest.fixture
def approver(console: Instance, chromium: Browser) -> Iterator[Person]:
    person = Person(chromium, console).log_in("aprovador2.boreal")
    yield person
    person.leave()


@pytest.fixture
def delegate(console: Instance, chromium: Browser) -> Iterator[Person]:
    person = Person(chromium, console).log_in("conformidade1.boreal")
    yield person
    person.leave()


def test_a_high_risk_asks_again_who_approves_and_comes_back_to_the_same_strip(
    console: Instance, requester: Person, approver: Person
) -> None:
    with risk(console, "atendimento", inside="alto", after="medio"):
        path = acts.command(requester, title="Rever o roteiro de triagem", project="atendimento")
        grow_old(console, approver)
        approver.open(f"{path}?risco=alto")
        approver.page.keyboard.press("a")
        strip = approver.page.locator("#decisao")
        expect(strip).to_contain_text("o console confirma quem você é e volta para cá")
        approver.page.keyboard.press("Control+Enter")
        expect(approver.page).to_have_url(re.compile("/conta/confirmar/"))
        approver.page.get_by_label("Senha").fill(console.demo_password)
        approver.page.keyboard.press("Enter")
        expect(approver.page).to_have_url(re.compile(r"decidir=aprovar&risco=alto$"))
        expect(strip).not_to_contain_text("o console confirma quem você é")
        approver.page.keyboard.press("Control+Enter")
        expect(approver.main).to_contain_text("Seu voto foi gravado")
        requester.open(path)
        requester.press("Cancelar pedido")


def test_a_delegate_decides_in_the_name_of_who_is_away(
    requester: Person, approver: Person, delegate: Person
) -> None:
    approver.open("/conta/")
    approver.press("Delegações")
    approver.page.get_by_label("Quem decide por você").select_option(label="conformidade 1")
    until = dt.datetime.now() + dt.timedelta(days=2)  # noqa: DTZ005 - the field has no zone
    approver.page.get_by_label("Até", exact=True).fill(f"{until:%Y-%m-%dT%H:%M}")
    approver.page.get_by_label("Motivo").fill("Folga de dois dias.")
    approver.press("Delegar")
    expect(approver.main).to_contain_text("conformidade 1")
    path = acts.command(requester, title="Rever os limites do alerta", project="redes")
    delegate.open(path)
    delegate.page.keyboard.press("a")
    expect(delegate.page.locator("#h-confirmar")).to_be_focused()
    delegate.page.keyboard.press("Control+Enter")
    expect(delegate.main).to_contain_text(acts.APPROVED)
    delegate.open(path)
    said = "conformidade 1 aprovou por delegação de aprovador 2."
    expect(delegate.page.locator("#linha")).to_contain_text(said)
    approver.open("/conta/delegacoes/")
    approver.press("Revogar")
    expect(approver.main).to_contain_text("revogada")
    assert delegate.complaints + approver.complaints == []


@pytest.fixture
def reviewer(console: Instance, chromium: Browser) -> Iterator[Person]:
    person = Person(chromium, console).log_in("auditor1.boreal")
    yield person
    person.leave()


def test_an_auditor_reads_now_and_then_and_attests(reviewer: Person) -> None:
    reviewer.open("/")
    reviewer.page.locator(".rail").get_by_role("link", name="Acessos").click()
    people = reviewer.main.get_by_role("table", name="Cada pessoa, seus papéis e o que decide")
    expect(people.get_by_role("row", name=re.compile("aprovador 1"))).to_contain_text(
        "Issue criada: baixo, médio, alto"
    )
    reviewer.page.get_by_label("Como era em").fill("2020-01-01T10:00")
    reviewer.press("Mostrar")
    expect(reviewer.main).to_contain_text("Não há registro deste momento")
    reviewer.press("Voltar a agora")
    reviewer.page.get_by_label("Observação").fill("Conferido com o RH.")
    reviewer.press("Atestar")
    expect(reviewer.page).to_have_url(re.compile(r"/acessos/revisoes/[0-9a-f-]{36}/$"))
    expect(reviewer.main).to_contain_text("Nada: a lista de agora é a atestada.")
    assert reviewer.complaints == []
