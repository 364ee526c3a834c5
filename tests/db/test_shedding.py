"""While there is more to do than is being done, the least urgent waits outside and is told so."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.models.functions import Now

from approvals.models import AgenteAprovacao
from audit.models import AgenteAcao
from grounding.models import Receipt
from opspilot.harness.models import SCHEMA_VERSION, Run, RunKind, RunState
from opspilot.resilience import pressure, shedding, slots
from opspilot.resilience.models import Pressure
from opspilot.resilience.shedding import BusyError, Work
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.agents import at_the_door
from tests.db.browsing import a_browser

pytestmark = pytest.mark.django_db
MINUTE = dt.timedelta(minutes=1)


def set_level(level: int, **values: Any) -> None:
    Pressure.objects.update(level=level, looks=0, measured_at=Now(), **values)


def a_question(tenant: Tenant, *, ago: dt.timedelta, **values: Any) -> Run:
    asker = factories.a_principal(tenant)
    return factories.a_run(
        tenant,
        by=asker,
        **{
            "kind": RunKind.QUESTION,
            "state": RunState.QUEUED,
            "question": "Como reiniciar?",
            "created_at": clock.now() - ago,
        }
        | values,
    )


def seen() -> Pressure:
    pressure.measure(known=SCHEMA_VERSION)
    return pressure.last()


@pytest.fixture
def tenant() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


def test_the_oldest_question_that_could_begin_is_what_counts(tenant: Tenant) -> None:
    before = seen()
    a_question(tenant, ago=MINUTE * 60)
    after = seen()
    assert after.waiting == before.waiting + 1
    assert 3600 <= after.oldest_seconds < 3660


@pytest.mark.parametrize("state", [RunState.QUEUED, RunState.RUNNING])
def test_one_that_is_put_off_or_in_hand_does_not_wait_for_us(
    tenant: Tenant, state: RunState
) -> None:
    before = seen()
    a_question(tenant, ago=MINUTE * 60, state=state, lease_until=clock.now() + MINUTE)
    assert seen().waiting == before.waiting


def test_one_that_was_put_off_waits_only_since_then(tenant: Tenant) -> None:
    before = seen().oldest_seconds
    a_question(tenant, ago=MINUTE * 60 * 24, lease_until=clock.now() - MINUTE)
    assert 60 <= seen().oldest_seconds < max(before, 60) + 30


def test_one_of_rules_that_no_worker_here_knows_does_not_wait_for_us(tenant: Tenant) -> None:
    """As after a rollback: it would shut asking for everybody until somebody rolls forward."""
    before = seen()
    a_question(tenant, ago=MINUTE * 60, versao_esquema=SCHEMA_VERSION + 1)
    assert seen().waiting == before.waiting
    a_question(tenant, ago=MINUTE * 60, versao_esquema=SCHEMA_VERSION)
    assert seen().waiting == before.waiting + 1


def test_the_sweep_measures_with_the_rules_this_worker_claims(tenant: Tenant) -> None:
    before = seen()
    a_question(tenant, ago=MINUTE * 60, versao_esquema=SCHEMA_VERSION)
    tasks._measure()
    assert pressure.last().waiting == before.waiting + 1


def test_the_fullest_model_s_slots_count_and_no_other_remote_s(tenant: Tenant) -> None:
    name = uuid.uuid4().hex[:8]
    for connector in (f"model:{name}", f"model:{name}", f"other:{name}"):
        slots.take(connector, tenant_id=tenant.pk, token=uuid.uuid4())
    assert seen().slots_held == 0.25


def test_long_waits_raise_the_level_for_all_who_ask(tenant: Tenant) -> None:
    set_level(0)
    a_question(tenant, ago=MINUTE)
    assert (seen().level, seen().level) == (0, 2)
    with pytest.raises(BusyError) as caught:
        shedding.admit(Work.CONSULT)
    assert 10 <= caught.value.facts["retry_after"] <= 120
    shedding.admit(Work.QUESTION)


def test_the_least_urgent_waits_first() -> None:
    outside = []
    for level in range(4):
        set_level(level)
        outside.append([work.name for work in Work if shedding.rests(work)])
    assert outside == [
        [],
        ["BACKGROUND"],
        ["BACKGROUND", "CONSULT"],
        ["BACKGROUND", "CONSULT", "QUESTION"],
    ]


def test_a_look_that_is_too_old_keeps_nothing_outside() -> None:
    Pressure.objects.update(level=3, measured_at=clock.now() - MINUTE)
    shedding.admit(Work.QUESTION)


def test_a_second_look_at_the_same_row_changes_nothing() -> None:
    """As two workers would: the later one has seen an older row."""
    first = pressure.last()
    pressure.measure(known=SCHEMA_VERSION)
    values = {"level": 3, "looks": 0, "slots_held": 0, "waiting": 0, "oldest": 0}
    with connection.cursor() as cursor:
        cursor.execute(pressure._WRITE, values | {"seen": first.measured_at})
        assert cursor.rowcount == 0


def test_a_person_s_question_comes_back_as_it_was_typed(tenant: Tenant) -> None:
    set_level(3, oldest_seconds=45)
    browser = a_browser(tenant, Role.OPERADOR)
    response = browser.client.post("/perguntar/enviar/", {"pergunta": "Como reinicio a fila?"})
    page = response.content.decode()
    assert response.status_code == 503
    assert "Como reinicio a fila?</textarea>" in page
    assert "Há trabalho demais na fila agora" in page
    with tenant_scope(tenant.pk):
        assert not Run.objects.exists()
        assert not AgenteAcao.objects.filter(resultado="recusado").exists()


def test_an_agent_s_consult_is_told_when_to_come_back() -> None:
    set_level(2, oldest_seconds=45)
    door = at_the_door()
    context = {"agente_id": door.agent.slug}
    answer = door.post("grounding/consultar", {"query": "Como reinicio?", "contexto": context})
    assert (answer.status, answer.data["codigo"]) == (503, "muito_trabalho")
    assert answer.headers["Retry-After"] == "45"
    with tenant_scope(door.tenant.pk):
        assert not Receipt.objects.exists()


def test_a_command_and_a_decision_are_taken_at_any_level(tenant: Tenant) -> None:
    set_level(3)
    proposal = factories.a_proposal(tenant)
    factories.approve(proposal, factories.a_principal(tenant, Role.APROVADOR))
    with tenant_scope(tenant.pk):
        assert AgenteAprovacao.objects.get(pk=proposal.pk).estado == "aprovada"


def test_work_nobody_waits_for_stays_due(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[str] = []

    def due(kind: str, _limit: int) -> list[tasks.Due]:
        looked_for.append(kind)
        return []

    monkeypatch.setattr(tasks, "due", due)
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    set_level(1)
    tasks.drain("index")
    tasks.drain("notice")
    set_level(0)
    tasks.drain("index")
    assert looked_for == ["notice", "index"]


def test_a_pressure_that_cannot_be_read_stops_no_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[str] = []

    def away(_work: Work) -> bool:
        raise DatabaseError

    def due(kind: str, _limit: int) -> list[tasks.Due]:
        looked_for.append(kind)
        return []

    monkeypatch.setattr(shedding, "rests", away)
    monkeypatch.setattr(tasks, "due", due)
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    tasks.sweep(timestamp=0)
    assert looked_for == list(tasks.KINDS)


def test_admins_read_what_waits_outside(tenant: Tenant) -> None:
    set_level(2, waiting=3, oldest_seconds=75)
    browser = a_browser(tenant, Role.ADMIN)
    page = browser.read("/conectores/")
    assert "consultas de agentes também esperam" in page
    assert "1 min 15 s" in page
    assert "Há mais trabalho do que se faz" in browser.read("/")
    set_level(0)
    assert "nada espera do lado de fora" in browser.read("/conectores/")
    assert "Há mais trabalho do que se faz" not in browser.read("/")
