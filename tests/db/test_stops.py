"""An emergency stop: what it holds, for how long, and what it leaves alone."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import DatabaseError, connection

from approvals.errors import ReasonRequiredError
from approvals.models import EmergencyStop, Execution, ExecutionState, StopScope
from approvals.stops import hindrance, stopping
from approvals.stops.stop_errors import AlreadyLiftedError, AlreadyStoppedError, StoppedError
from audit.models import AgenteAcao
from opspilot.errors import RoleRequiredError
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import agents_asking as agents
from tests.db import races
from tests.db import stopping as stops
from tests.db.executing import advance, make_due, take, the_issue, trail, unknown_outcome
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
PRESSERS = (Role.ADMIN, Role.APROVADOR)


def sent(tracker: FakeTracker) -> int:
    return tracker.count("create")


def carried_out(approved: Approved, tracker: FakeTracker) -> tuple[str, int]:
    return str(advance(approved, tracker).state), sent(tracker)


def test_a_stop_between_approval_and_claim_lets_nothing_leave_and_says_so() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    stops.press(approved.tenant)
    assert carried_out(approved, tracker) == ("retida", 0)
    row = approved.execution()
    assert (row.reason, row.claim_token, row.attempts) == ("parada_de_emergencia", None, 0)
    assert row.not_before > row.updated_at


def test_what_was_held_goes_on_at_once_when_the_stop_is_lifted() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    stop = stops.press(approved.tenant)
    advance(approved, tracker)
    stops.lift(stop)
    assert carried_out(approved, tracker) == ("concluida", 1)


def test_what_was_held_past_its_last_moment_ends_without_a_request(admin: Connection) -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    stop = stops.press(approved.tenant)
    admin.execute(
        "UPDATE agente_aprovacao SET executar_ate = now() - interval '1 second' WHERE id = %s",
        [approved.proposal.pk],
    )
    assert carried_out(approved, tracker) == ("bloqueada", 0)
    assert approved.execution().reason == "prazo_de_execucao_passou"
    stops.lift(stop)
    assert carried_out(approved, tracker) == ("bloqueada", 0)


def test_holding_is_told_once_in_the_trail_however_often_it_is_asked() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    stops.press(approved.tenant)
    for _ in range(3):
        make_due(approved)
        advance(approved, tracker)
    assert [row.erro for row in trail(approved, "execucao.adiada")] == ["parada_de_emergencia"]


def test_another_company_goes_on() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    stops.press(factories.a_tenant())
    assert carried_out(approved, tracker) == ("concluida", 1)


@pytest.mark.parametrize(
    ("scope", "subject", "expected"),
    [
        (StopScope.CONECTOR, "gitlab", "retida"),
        (StopScope.CONECTOR, "semaphore", "concluida"),
        (StopScope.AGENTE, "monitor-de-filas", "concluida"),
    ],
)
def test_a_stop_of_a_connector_or_an_agent_holds_only_what_is_theirs(
    scope: StopScope, subject: str, expected: str
) -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    stops.press(approved.tenant, scope=scope, subject=subject)
    assert carried_out(approved, tracker)[0] == expected


def test_a_stop_of_an_agent_holds_that_agent_s_and_nobody_else_s() -> None:
    approved = factories.an_approved_execution()
    stops.press(approved.tenant, scope=StopScope.AGENTE, subject="agente-a")
    proposal = approved.proposal
    with tenant_scope(approved.tenant.pk):
        for slug, held in (("agente-a", True), ("agente-b", False), ("", False)):
            proposal.agente = slug
            assert (hindrance.of(proposal) is not None) == held, slug


def test_what_does_not_say_its_system_is_held_by_a_stop_of_any() -> None:
    approved = factories.an_approved_execution()
    stops.press(approved.tenant, scope=StopScope.CONECTOR, subject="semaphore")
    approved.proposal.proposta = approved.proposal.proposta | {"target": {}}
    with tenant_scope(approved.tenant.pk):
        assert hindrance.of(approved.proposal) is not None


def test_a_claim_that_asks_for_no_stop_is_refused_by_the_database() -> None:
    approved = factories.an_approved_execution()
    stops.press(approved.tenant)
    with tenant_scope(approved.tenant.pk):
        assert take(execution_id=approved.execution_id) is None
    assert approved.execution().state == ExecutionState.RETIDA


def test_what_a_dead_worker_had_claimed_and_not_sent_is_held_too() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    with tenant_scope(approved.tenant.pk):
        assert take(execution_id=approved.execution_id) is not None
    stops.press(approved.tenant)
    make_due(approved)
    assert carried_out(approved, tracker) == ("retida", 0)
    assert approved.execution().reason == "parada_de_emergencia"


def test_a_look_up_goes_on_under_a_stop() -> None:
    approved, _tracker = unknown_outcome()
    stops.press(approved.tenant)
    advance(approved, FakeTracker(finds=[[the_issue(approved)]]))
    assert approved.execution().state == ExecutionState.CONCLUIDA


@pytest.mark.parametrize("role", list(Role))
def test_admins_and_approvers_press_and_only_admins_lift(role: Role) -> None:
    tenant = factories.a_tenant()
    person = factories.a_principal(tenant, role)
    if role in PRESSERS:
        assert stops.press(tenant, by=person).pressed_by == person.subject
    else:
        with pytest.raises(RoleRequiredError):
            stops.press(tenant, by=person)
        stops.press(tenant)
    with tenant_scope(tenant.pk):
        (stop,) = stopping.in_force()
    if role == Role.ADMIN:
        stops.lift(stop, by=person)
    else:
        with pytest.raises(RoleRequiredError):
            stops.lift(stop, by=person)


def test_a_stop_needs_a_reason_and_is_not_pressed_twice() -> None:
    tenant = factories.a_tenant()
    with pytest.raises(ReasonRequiredError):
        stops.press(tenant, reason="  curto  ")
    stops.press(tenant)
    with pytest.raises(AlreadyStoppedError):
        stops.press(tenant)
    stops.press(tenant, scope=StopScope.CONECTOR, subject="gitlab")


def test_a_stop_is_lifted_once_and_can_be_pressed_again() -> None:
    tenant = factories.a_tenant()
    stop = stops.press(tenant)
    stops.lift(stop)
    with pytest.raises(AlreadyLiftedError):
        stops.lift(stop)
    stops.press(tenant)
    with tenant_scope(tenant.pk):
        assert len(stopping.in_force()) == 1
        assert len(stopping.history()) == 2


def test_pressing_and_lifting_are_rows_of_the_trail_with_who_and_why() -> None:
    tenant = factories.a_tenant()
    approver, admin = (factories.a_principal(tenant, role) for role in (Role.APROVADOR, Role.ADMIN))
    stop = stops.press(tenant, by=approver)
    stops.lift(stop, by=admin)
    with tenant_scope(tenant.pk):
        rows = list(AgenteAcao.objects.filter(acao__startswith="parada.").order_by("id"))
    assert [row.acao for row in rows] == ["parada.acionada", "parada.levantada"]
    assert [row.entrada_resumo for row in rows] == [approver.signature, admin.signature]
    assert stops.REASON in str(rows[0].saida_resumo)


@pytest.mark.parametrize("table", ["emergency_stop", "emergency_stop_lift"])
def test_what_was_stopped_cannot_be_rewritten(table: str) -> None:
    tenant = factories.a_tenant()
    stops.lift(stops.press(tenant))
    for words in (f"UPDATE {table} SET reason = 'x'", f"DELETE FROM {table}"):  # noqa: S608
        with (
            pytest.raises(DatabaseError),
            tenant_scope(tenant.pk),
            connection.cursor() as cursor,
        ):
            cursor.execute(words)


def test_the_moment_of_a_stop_is_the_database_s_own() -> None:
    tenant = factories.a_tenant()
    with tenant_scope(tenant.pk):
        before = clock.now()
        made = EmergencyStop.objects.create(
            tenant=tenant, scope="empresa", reason="x", pressed_by="x", pressed_name="x",
            at=before - dt.timedelta(days=1),
        )  # fmt: skip
        made.refresh_from_db()
    assert made.at >= before


def test_a_stop_against_a_claim_at_the_same_instant_has_one_winner() -> None:
    """Fifty times: the claim was first, and it runs; or the stop was, and nothing leaves."""
    tenant = factories.a_tenant()
    presser, admin = (factories.a_principal(tenant, role) for role in (Role.APROVADOR, Role.ADMIN))
    requester = factories.a_principal(tenant, Role.OPERADOR)
    seen: set[bool] = set()
    for _round in range(50):
        proposal = factories.approve(factories.a_proposal(tenant, by=requester), presser)
        with tenant_scope(tenant.pk):
            row = Execution.objects.get(approval=proposal)
        approved = Approved(tenant, requester, presser, proposal, row.pk)
        tracker = FakeTracker()
        acts: list[Any] = [
            lambda: stops.press(tenant, by=presser),
            lambda approved=approved, tracker=tracker: advance(approved, tracker),
        ]
        outcomes = races.at_once(acts)
        (stop,) = [found for found in outcomes if isinstance(found, EmergencyStop)]
        now = approved.execution()
        ran = now.state == ExecutionState.CONCLUIDA
        assert sent(tracker) == (1 if ran else 0)
        assert ran or (now.state, now.reason) == ("retida", "parada_de_emergencia")
        seen.add(ran)
        stops.lift(stop, by=admin)
        if not ran:
            assert carried_out(approved, tracker) == ("concluida", 1)
    print(f"the claim won in some of 50 rounds: {True in seen}; the stop in some: {False in seen}")


@pytest.mark.parametrize(
    ("scope", "subject", "held"),
    [
        (StopScope.EMPRESA, "", True),
        (StopScope.AGENTE, "agente-a", True),
        (StopScope.AGENTE, "agente-b", False),
        (StopScope.CONECTOR, "gitlab", False),
    ],
)
def test_an_agent_is_handed_nothing_that_a_stop_holds(
    scope: StopScope, subject: str, held: bool
) -> None:
    scene = agents.a_scene()
    proposal = agents.approved(scene)
    stop = stops.press(scene.tenant, scope=scope, subject=subject)
    if held:
        with pytest.raises(StoppedError):
            agents.consume(scene, proposal)
        stops.lift(stop)
    assert agents.consume(scene, proposal).hash == proposal.acao_hash
