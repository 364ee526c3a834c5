"""From the ledger to the mail server: patience, refusals, and who holds what."""

from __future__ import annotations

import smtplib
import uuid
from collections.abc import Callable

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from approvals.models import AgenteAprovacao, State
from opspilot.notices import delivery
from opspilot.notices.models import Notice, NoticeState
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.conftest import Connection
from tests.db import deciding, noticing

pytestmark = pytest.mark.usefixtures("committed")
Failing = Callable[[Exception | None], None]


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def approver(tenant: Tenant) -> User:
    return noticing.a_reachable(tenant, Role.APROVADOR)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    original = EmailMessage.send

    def fail(error: Exception | None) -> None:
        def send(message: EmailMessage) -> int:
            if error is not None:
                raise error
            return original(message)

        monkeypatch.setattr(EmailMessage, "send", send)

    return fail


def state_of(proposal: AgenteAprovacao) -> str:
    with tenant_scope(proposal.tenant_id):
        return AgenteAprovacao.objects.get(pk=proposal.pk).estado


def test_with_the_mail_server_down_the_decision_stands_and_the_letter_comes_later(
    admin: Connection,
    tenant: Tenant,
    failing: Failing,
    mailoutbox: list[EmailMessage],
) -> None:
    requester = noticing.a_reachable(tenant, Role.OPERADOR)
    failing(ConnectionRefusedError())
    proposal = factories.a_proposal(tenant, by=noticing.principal(tenant, requester))
    factories.approve(proposal, deciding.approver(tenant))
    noticing.work(tenant)
    assert state_of(proposal) == State.APROVADA
    (row,) = noticing.notices(tenant)
    assert (row.state, row.outcome, row.attempts) == (NoticeState.PENDENTE, "sem_conexao", 1)

    failing(None)
    noticing.deliver(tenant)
    assert noticing.subjects_to(requester, mailoutbox) == []  # not yet: it waits its turn
    noticing.time_comes(admin, tenant)
    noticing.deliver(tenant)
    assert len(noticing.subjects_to(requester, mailoutbox)) == 1
    (row,) = noticing.notices(tenant)
    assert (row.state, row.outcome) == (NoticeState.ENVIADO, "")


def test_each_try_waits_longer_and_the_last_one_fails(
    admin: Connection, tenant: Tenant, approver: User, failing: Failing
) -> None:
    failing(TimeoutError())
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.spread(tenant)
    waits = []
    for _ in range(delivery.MAX_ATTEMPTS):
        noticing.time_comes(admin, tenant)
        (before,) = noticing.notices(tenant)
        noticing.deliver(tenant)
        (row,) = noticing.notices(tenant)
        waits.append(round((row.next_at - before.next_at).total_seconds(), -1))
    assert waits[:4] == [30, 60, 120, 240]
    assert row.state == NoticeState.FALHOU
    assert noticing.due("notice", tenant) == []


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (smtplib.SMTPRecipientsRefused({"x": (550, b"no such user")}), "recusado_550"),
        (smtplib.SMTPDataError(554, b"refused"), "recusado_554"),
    ],
)
def test_an_address_that_is_refused_for_good_is_not_tried_again(
    tenant: Tenant, approver: User, failing: Failing, error: Exception, outcome: str
) -> None:
    failing(error)
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.work(tenant)
    (row,) = noticing.failed(tenant)
    assert row.outcome == outcome


def test_a_letter_to_a_domain_outside_the_list_does_not_leave(
    tenant: Tenant, approver: User, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    settings.OPSPILOT_EGRESS_MAIL = ["boreal.example"]
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.work(tenant)
    assert noticing.subjects_to(approver, mailoutbox) == []
    (row,) = noticing.failed(tenant)
    assert row.outcome == "nao_permitido"


def test_a_notice_somebody_holds_is_left_to_them(
    admin: Connection, tenant: Tenant, approver: User, mailoutbox: list[EmailMessage]
) -> None:
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.spread(tenant)
    admin.execute(
        "UPDATE notice SET claim_token = %s, lease_until = clock_timestamp() + interval '1 minute' "
        "WHERE tenant_id = %s",
        [uuid.uuid4(), tenant.pk],
    )
    (row,) = noticing.notices(tenant)
    delivery.advance(tenant_id=tenant.pk, notice_id=row.pk)
    assert noticing.subjects_to(approver, mailoutbox) == []


def test_a_late_holder_changes_nothing(
    admin: Connection, tenant: Tenant, approver: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.spread(tenant)

    def taken_over_meanwhile(_message: EmailMessage) -> int:
        admin.execute(
            "UPDATE notice SET claim_token = %s WHERE tenant_id = %s", [uuid.uuid4(), tenant.pk]
        )
        return 1

    monkeypatch.setattr(EmailMessage, "send", taken_over_meanwhile)
    noticing.deliver(tenant)
    (row,) = noticing.notices(tenant)
    assert row.state == NoticeState.PENDENTE


def test_the_worker_has_a_lane_for_each_half() -> None:
    assert {"escalation", "telling", "notice"} <= set(tasks.KINDS)


def test_a_holder_that_died_every_time_ends_it(
    admin: Connection, tenant: Tenant, approver: User, mailoutbox: list[EmailMessage]
) -> None:
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.spread(tenant)
    admin.execute(
        "UPDATE notice SET attempts = %s WHERE tenant_id = %s", [delivery.MAX_ATTEMPTS, tenant.pk]
    )
    noticing.deliver(tenant)
    assert noticing.subjects_to(approver, mailoutbox) == []
    (row,) = noticing.failed(tenant)
    assert row.outcome == "interrompido"


def test_the_app_may_change_how_a_notice_stands_and_nothing_else_of_it(tenant: Tenant) -> None:
    fields = {"state", "outcome", "attempts", "next_at", "settled_at", "claim_token", "lease_until"}
    granted = noticing.updatable("notice")
    assert granted == fields
    assert {f.column for f in Notice._meta.concrete_fields} > fields
    assert noticing.updatable("notice_destination") == {"active", "off_reason"}
