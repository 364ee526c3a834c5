"""Change windows and freezes, asked at the claim by the policy in force; and a chosen start."""

from __future__ import annotations

import copy
import datetime as dt
import uuid
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError

from approvals import actions, canonical, drafts, features, policies, proposals, rules
from approvals.execution import claims
from approvals.models import AgenteAprovacao, Execution, PolicyVersion
from approvals.stops import hindrance, schedule
from approvals.stops.calendar import DAYS
from approvals.stops.stop_errors import ScheduleError
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import stopping as stops
from tests.db.browsing import as_
from tests.db.executing import advance, change, make_due, take, trail
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
_LOCAL = "%Y-%m-%dT%H:%M"


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def in_force(tenant: Tenant, **calendar: Any) -> PolicyVersion:
    document = copy.deepcopy(factories.POLICY)
    if calendar:
        document["calendario"] = {"fuso": "UTC"} | calendar
    with tenant_scope(tenant.pk):
        return policies.install(document=document, by="admin 1")


def a_freeze(**values: Any) -> dict[str, Any]:
    """From an hour ago for an hour."""
    start, end = now() - dt.timedelta(hours=1), now() + dt.timedelta(hours=1)
    span = {"inicio": start.strftime(_LOCAL), "fim": end.strftime(_LOCAL)}
    return span | {"motivo": "Fechamento do mês"} | values


def another_day() -> dict[str, Any]:
    """A window on the one weekday that is three days away, whatever day it is."""
    day = DAYS[(now() + dt.timedelta(days=3)).weekday()]
    return {"dias": [day], "das": "08:00", "ate": "18:00"}


def outcome(approved: Approved, tracker: FakeTracker) -> tuple[str, str, int]:
    row = advance(approved, tracker)
    return str(row.state), row.reason, tracker.count("create")


def test_a_freeze_without_an_end_holds_an_effect_west_of_greenwich_and_breaks_no_page() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    freeze = a_freeze(inicio="2020-01-01T00:00", fim="9999-12-31T23:59")
    in_force(approved.tenant, fuso="America/Sao_Paulo", congelamentos=[freeze])
    assert outcome(approved, tracker) == ("retida", "congelamento", 0)
    assert as_(approved.approver).status(f"/aprovacoes/{approved.proposal.ref}/") == 200


def test_outside_its_window_nothing_leaves_and_the_effect_waits() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    in_force(approved.tenant, janelas=[another_day()])
    assert outcome(approved, tracker) == ("retida", "fora_da_janela", 0)


def test_a_freeze_holds_until_another_policy_lifts_it() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    in_force(approved.tenant, congelamentos=[a_freeze()])
    assert outcome(approved, tracker) == ("retida", "congelamento", 0)
    assert approved.execution().not_before <= now() + hindrance.LONGEST_PAUSE
    in_force(approved.tenant)
    make_due(approved)
    assert outcome(approved, tracker)[0] == "concluida"


def test_a_freeze_of_other_kinds_or_risks_holds_nothing() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    others = [a_freeze(tipos=["tarefa.executada"]), a_freeze(riscos=["alto"])]
    in_force(approved.tenant, congelamentos=others)
    assert outcome(approved, tracker) == ("concluida", "", 1)


def test_a_calendar_moves_no_proposal_away_from_its_policy() -> None:
    approved = factories.an_approved_execution()
    in_force(approved.tenant, congelamentos=[a_freeze()])
    with tenant_scope(approved.tenant.pk):
        assert not rules.moved(approved.proposal)


def test_what_opens_after_the_last_moment_ends_there() -> None:
    approved, tracker = factories.an_approved_execution(), FakeTracker()
    in_force(approved.tenant, janelas=[another_day()])
    last = now() + dt.timedelta(seconds=90)
    with tenant_scope(approved.tenant.pk):
        found = hindrance.of(approved.proposal, until=last)
    assert found is not None
    assert found.retry_at == last + dt.timedelta(seconds=1)
    change(approved, resend_until=now() - dt.timedelta(seconds=1))
    assert outcome(approved, tracker) == ("bloqueada", "prazo_de_execucao_passou", 0)


def test_a_freeze_over_a_change_of_the_clock_ends_at_its_hour_on_the_wall() -> None:
    approved = factories.an_approved_execution()
    night = {"inicio": "2026-10-24T18:00", "fim": "2026-10-26T06:00", "motivo": "Virada"}
    in_force(approved.tenant, fuso="Europe/Berlin", congelamentos=[night])
    end = dt.datetime(2026, 10, 26, 5, tzinfo=dt.UTC)  # 06:00, one hour later than in summer
    with tenant_scope(approved.tenant.pk):
        before, after = (
            hindrance.of(approved.proposal, at=end + dt.timedelta(seconds=seconds), until=now())
            for seconds in (-1, 0)
        )
    assert before is not None
    assert (before.code, after) == ("congelamento", None)


def test_a_proposal_made_under_a_calendar_is_not_selectable_for_an_older_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tenant = factories.a_tenant()
    in_force(tenant, janelas=[{"dias": list(DAYS), "das": "00:00", "ate": "24:00"}])
    proposal = factories.approve(
        factories.a_proposal(tenant), factories.a_principal(tenant, Role.APROVADOR)
    )
    assert features.WINDOWS in proposal.recursos
    assert proposal.versao_esquema == 2
    with tenant_scope(tenant.pk):
        row = Execution.objects.get(approval=proposal)
        monkeypatch.setattr(claims, "SCHEMA_VERSION", 1)
        assert take(execution_id=row.pk) is None
        monkeypatch.setattr(claims, "SCHEMA_VERSION", 2)
        assert take(execution_id=row.pk) is not None


def a_draft(by: Principal, moment: dt.datetime | None) -> drafts.Draft:
    return drafts.prepare(
        principal=by,
        run_id=uuid.uuid4(),
        command=actions.parse(factories.a_command()),
        coverage=None,
        execute_from=moment,
    )


def scheduled(by: Principal, moment: dt.datetime | None) -> AgenteAprovacao:
    with tenant_scope(by.tenant_id):
        draft = a_draft(by, moment)
        return proposals.create(
            principal=by,
            draft=draft,
            seen_hash=draft.hash,
            justification="A fila parou e clientes esperam.",
            entity=None,
            evidence=[],
        )


@pytest.fixture
def requester() -> Principal:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return factories.a_principal(tenant, Role.OPERADOR)


def an_approver(requester: Principal) -> Principal:
    with tenant_scope(requester.tenant_id):
        tenant = Tenant.objects.get(pk=requester.tenant_id)
    return factories.a_principal(tenant, Role.APROVADOR)


def test_a_chosen_start_is_in_the_hash_in_its_column_and_obeyed_at_the_claim(
    requester: Principal,
) -> None:
    moment = (now() + dt.timedelta(hours=2)).replace(microsecond=0)
    proposal = scheduled(requester, moment)
    assert (proposal.executar_de, schedule.of(proposal.proposta)) == (moment, moment)
    later = proposal.proposta | {schedule.FIELD: schedule.written(now())}
    assert not canonical.is_hash_of(later, proposal.acao_hash)
    approver = an_approver(requester)
    factories.approve(proposal, approver)
    with tenant_scope(requester.tenant_id):
        row = Execution.objects.get(approval=proposal)
        assert row.not_before == moment
        assert features.SCHEDULED in proposal.recursos


def test_a_start_that_was_moved_behind_our_back_still_waits_for_the_one_approved(
    requester: Principal,
) -> None:
    proposal = scheduled(requester, now() + dt.timedelta(hours=2))
    approver = an_approver(requester)
    factories.approve(proposal, approver)
    with tenant_scope(requester.tenant_id):
        row = Execution.objects.get(approval=proposal)
        tenant = Tenant.objects.get(pk=requester.tenant_id)
    approved = Approved(tenant, requester, approver, proposal, row.pk)
    make_due(approved)
    tracker = FakeTracker()
    assert outcome(approved, tracker) == ("retida", "ainda_nao_e_hora", 0)
    assert [line.erro for line in trail(approved, "execucao.adiada")] == ["ainda_nao_e_hora"]


def test_the_body_that_is_sent_says_nothing_of_the_start(requester: Principal) -> None:
    with tenant_scope(requester.tenant_id):
        plain = a_draft(requester, None)
        chosen = a_draft(requester, now() + dt.timedelta(hours=1))
    assert plain.body.keys() == chosen.body.keys()
    assert plain.hash != chosen.hash


@pytest.mark.parametrize("hours", [-1, 6.5])
def test_a_start_that_is_over_or_too_late_is_refused(requester: Principal, hours: float) -> None:
    """The policy gives four hours to decide and two to carry out."""
    moment = now() + dt.timedelta(hours=hours)
    with tenant_scope(requester.tenant_id), pytest.raises(ScheduleError):
        a_draft(requester, moment)


def test_column_and_action_cannot_differ_in_the_database(
    requester: Principal, admin: Connection
) -> None:
    proposal = scheduled(requester, now() + dt.timedelta(hours=2))
    for words in ("executar_de = NULL", "executar_de = executar_de + interval '1 hour'"):
        with pytest.raises(Exception, match="agente_aprovacao_executar_de"):
            admin.execute(
                f"UPDATE agente_aprovacao SET {words} WHERE id = %s",  # noqa: S608
                [proposal.pk],
            )
    proposal.pk, proposal.executar_de = None, None
    with tenant_scope(requester.tenant_id), pytest.raises(IntegrityError):
        proposal.save(force_insert=True)


@pytest.mark.parametrize("wall", ["2026-03-29T02:30", "2026-10-25T02:30"])
def test_an_hour_the_clock_skips_or_repeats_is_not_taken(wall: str) -> None:
    with pytest.raises(ScheduleError):
        schedule.typed(dt.datetime.fromisoformat(wall), ZoneInfo("Europe/Berlin"))


def test_a_stop_is_said_before_a_window() -> None:
    approved = factories.an_approved_execution()
    in_force(approved.tenant, congelamentos=[a_freeze()])
    stops.press(approved.tenant)
    with tenant_scope(approved.tenant.pk):
        found = hindrance.of(approved.proposal, at=clock.now())
    assert found is not None
    assert found.code == "parada_de_emergencia"
