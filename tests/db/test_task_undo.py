"""A task is taken back by another one, declared, asked for and approved."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db.models.functions import Now

from approvals.execution import advancing
from approvals.models import AgenteAprovacao, Execution
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tasking
from tests.db.browsing import Browser, as_
from tests.db.commanding import (
    FIELDS,
    WHY,
    a_company,
    by_form,
    confirmed,
    proposals,
    read_template,
    runs,
)
from tests.db.deciding import approver
from tests.db.task_runner import FakeRunner, recap_of

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


def maintained(home: Tenant, person: Browser) -> AgenteAprovacao:
    """Two hosts were put into maintenance, as approved."""
    tasking.a_policy(home, hold_seconds={"baixo": 0, "medio": 0, "alto": 0})
    tasking.a_reading(home.pk, template=25)
    tasking.a_reading(home.pk, template=26)
    blank = dict.fromkeys(FIELDS, "") | {"template_id": "25", "limit": "srv-pag-02, srv-pag-03"}
    by_form(person, **blank)
    confirmed(person, runs(home)[0])
    return carried_out(home)


def carried_out(home: Tenant) -> AgenteAprovacao:
    """The newest proposal is approved, and the task ends well."""
    proposal = factories.approve(proposals(home)[-1], approver(home))
    with tenant_scope(home.pk):
        execution = Execution.objects.get(approval=proposal)
    runner = FakeRunner()
    advancing.advance(tenant_id=home.pk, execution_id=execution.pk, runner=runner)
    runner.ends("success", recap_of("srv-pag-02", "srv-pag-03"))
    with tenant_scope(home.pk):
        Execution.objects.filter(pk=execution.pk).update(
            next_lookup_at=Now() - dt.timedelta(seconds=1)
        )
    advancing.advance(tenant_id=home.pk, execution_id=execution.pk, runner=runner)
    return proposal


def states(home: Tenant) -> list[str]:
    with tenant_scope(home.pk):
        return list(Execution.objects.order_by("pk").values_list("state", flat=True))


def test_a_task_with_a_declared_undo_is_taken_back_by_another_approved_task(
    home: Tenant, person: Browser
) -> None:
    done = maintained(home, person)
    assert states(home) == ["concluida"]
    assert "Preparar a reversão" in person.read(f"/rodadas/{done.correlacao_id}/")
    page = person.send(f"/rodadas/{done.correlacao_id}/desfazer/")
    assert "Reversão: Pôr em manutenção em srv-pag-02, srv-pag-03" in page
    assert 'value="26" selected' in page
    assert 'value="25"' not in page
    assert 'value="srv-pag-02, srv-pag-03"' in page
    run = runs(home)[-1]
    blank = dict.fromkeys(FIELDS, "") | {"template_id": "26", "limit": "srv-pag-02,srv-pag-03"}
    person.send(f"/rodadas/{run.ref}/tarefa/", **blank, justificativa=WHY, cliente="")
    confirmed(person, run)
    undone = carried_out(home)
    assert undone.sobre_id == done.pk
    assert undone.proposta["undoes"]["hash"] == done.acao_hash
    shown = person.read(f"/aprovacoes/{undone.ref}/")
    assert "Esta proposta desfaz o que outra fez." in shown
    assert f'href="/aprovacoes/{done.ref}/"' in shown
    assert states(home) == ["revertida", "concluida"]


def test_a_reversal_on_another_host_is_no_reversal(home: Tenant, person: Browser) -> None:
    done = maintained(home, person)
    person.send(f"/rodadas/{done.correlacao_id}/desfazer/")
    run = runs(home)[-1]
    blank = dict.fromkeys(FIELDS, "") | {"template_id": "26", "limit": "srv-pag-02"}
    page = person.send(f"/rodadas/{run.ref}/tarefa/", **blank, justificativa=WHY, cliente="")
    assert "Isto não desfaz a tarefa" in page


def test_the_way_back_is_said_before_the_approval(home: Tenant, person: Browser) -> None:
    read_template(home)
    tasking.a_reading(home.pk, template=25)
    by_form(person)
    confirmed(person, runs(home)[0])
    by_form(person, **(dict.fromkeys(FIELDS, "") | {"template_id": "25", "limit": "srv-pag-02"}))
    confirmed(person, runs(home)[1])
    without, with_undo = proposals(home)
    assert "não se desfaz" in person.read(f"/aprovacoes/{without.ref}/")
    page = person.read(f"/aprovacoes/{with_undo.ref}/")
    assert "A política declara a tarefa que desfaz esta" in page


def test_a_task_that_did_not_end_well_is_not_taken_back(home: Tenant, person: Browser) -> None:
    read_template(home)
    by_form(person)
    confirmed(person, runs(home)[0])
    (proposal,) = proposals(home)
    page = person.send(f"/rodadas/{proposal.correlacao_id}/desfazer/")
    assert "Não há o que reverter" in page
    assert len(runs(home)) == 1


def test_what_is_undone_already_is_not_undone_again(home: Tenant, person: Browser) -> None:
    done = maintained(home, person)
    blank = dict.fromkeys(FIELDS, "") | {"template_id": "26", "limit": "srv-pag-02,srv-pag-03"}
    opened = []
    for _ in range(2):
        person.send(f"/rodadas/{done.correlacao_id}/desfazer/")
        opened.append(runs(home)[-1])
        address = f"/rodadas/{opened[-1].ref}/tarefa/"
        person.send(address, **blank, justificativa=WHY, cliente="")
    confirmed(person, opened[0])
    carried_out(home)
    assert "Não há o que reverter" in person.read(f"/rodadas/{opened[1].ref}/confirmar/")
    assert states(home) == ["revertida", "concluida"]
