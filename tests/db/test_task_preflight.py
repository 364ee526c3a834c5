"""The template is read by the worker before a proposal, and what does not fit is not proposed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from approvals.models import TemplatePreflight
from approvals.tasks import preflights
from opspilot.connectors import readers
from opspilot.connectors.errors import NotSentError, RefusedByRemoteError, ThrottledError
from opspilot.connectors.tasks import SurveyField
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.db import tasking
from tests.db.browsing import Browser, as_
from tests.db.commanding import (
    a_company,
    by_form,
    proposals,
    read_template,
    runs,
)
from tests.db.task_runner import FakeRunner

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def home() -> Tenant:
    return a_company()


@pytest.fixture
def operador(home: Tenant) -> Principal:
    return factories.a_principal(home, Role.OPERADOR)


@pytest.fixture
def person(operador: Principal) -> Browser:
    return as_(operador)


def test_the_run_page_waits_for_the_template_and_then_offers_the_proposal(
    home: Tenant, person: Browser
) -> None:
    page = by_form(person)
    assert "O template está sendo conferido no Semaphore." in page
    assert "Preparar proposta" not in page
    assert 'data-poll="fast"' in page
    read_template(home)
    page = person.read(f"/rodadas/{runs(home)[0].ref}/")
    assert "Template conferido no Semaphore." in page
    assert "Preparar proposta" in page
    assert "sem modelo: comando explícito" in page


def test_the_web_process_never_asks_the_remote(
    home: Tenant, person: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = FakeRunner()
    monkeypatch.setattr(readers, "task_reader", lambda: runner)
    by_form(person)
    person.read(f"/rodadas/{runs(home)[0].ref}/")
    person.read(f"/rodadas/{runs(home)[0].ref}/confirmar/")
    assert runner.asked == []
    tasks.drain("preflight")
    assert set(runner.asked) == {"template", "hosts"}


def test_a_review_without_a_fresh_reading_goes_back_to_wait(home: Tenant, person: Browser) -> None:
    by_form(person)
    page = person.read(f"/rodadas/{runs(home)[0].ref}/confirmar/")
    assert "O template está sendo conferido no Semaphore." in page
    assert proposals(home) == []


def test_a_reading_older_than_ten_minutes_is_read_again_before_the_confirmation(
    home: Tenant, person: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_form(person)
    read_template(home)
    run = runs(home)[0]
    page = person.read(f"/rodadas/{run.ref}/confirmar/")
    found = re.search(r'name="acao_hash" value="([0-9a-f]{64})"', page)
    assert found
    with tenant_scope(home.pk):
        row = TemplatePreflight.objects.get()
        row.looked_at = (row.looked_at or row.next_at) - preflights.FRESH
        row.save()
    page = person.send(f"/rodadas/{run.ref}/confirmar/", acao_hash=found[1])
    assert "O template está sendo conferido no Semaphore." in page
    assert proposals(home) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"faults": ("limite_nao_permitido",)}, "não deixa que o host seja dito"),
        ({"faults": ("app_nao_e_ansible",)}, "o template não é do Ansible"),
        ({"survey": (SurveyField("senha", "secret", True, (), ""),)}, "variável secreta"),
        ({"survey": ()}, "server_action (o template não a tem)"),
    ],
)
def test_a_template_that_does_not_fit_is_not_proposed_and_says_why(
    home: Tenant, person: Browser, change: dict[str, Any], words: str
) -> None:
    by_form(person)
    read_template(home, template_changes=change)
    run = runs(home)[0]
    page = person.read(f"/rodadas/{run.ref}/")
    assert words in page
    assert "Preparar proposta" not in page
    assert words in person.read(f"/rodadas/{run.ref}/confirmar/")
    assert proposals(home) == []


def test_a_host_that_the_inventory_has_not_is_not_proposed(home: Tenant, person: Browser) -> None:
    by_form(person)
    read_template(home, inventory=frozenset({"srv-pag-03"}))
    page = person.read(f"/rodadas/{runs(home)[0].ref}/")
    assert "O inventário do template não tem: srv-pag-02." in page


def test_a_fingerprint_in_the_policy_refuses_any_other_template(
    home: Tenant, person: Browser
) -> None:
    tasking.a_policy(home, templates=tasking.templates("servico-acao", fingerprint="f" * 64))
    by_form(person)
    read_template(home)
    page = person.read(f"/rodadas/{runs(home)[0].ref}/")
    assert "não é o que a política registra" in page


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (NotSentError("down"), "O Semaphore não respondeu."),
        (RefusedByRemoteError("no", 404), "O Semaphore não deixa ler este template."),
        (ThrottledError("later", 60), "O Semaphore pediu para esperar."),
    ],
)
def test_a_reading_that_failed_is_said_and_offered_again(
    home: Tenant, person: Browser, failure: Exception, words: str
) -> None:
    by_form(person)
    read_template(home, failing={"template": failure})
    run = runs(home)[0]
    page = person.read(f"/rodadas/{run.ref}/")
    assert words in page
    assert "Conferir de novo" in page
    assert person.send(f"/rodadas/{run.ref}/conferir/")
