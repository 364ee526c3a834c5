"""What is told, to whom, and that it is told once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.db import connection

from approvals.expiry import expire_due
from approvals.models import AgenteAprovacao
from opspilot.notices import events
from opspilot.notices.models import Kind, NoticeState
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import deciding, noticing

pytestmark = pytest.mark.usefixtures("committed")
RULE = {"depois_de_percentual": 50, "para_papel": "admin"}


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


def told(tenant: Tenant, person: User) -> list[str]:
    """The kinds this person has a notice of, in order."""
    rows = noticing.notices(tenant, recipient=f"usuario:{person.pk}")
    return [row.kind for row in rows]


def asked_by(tenant: Tenant, person: User, **values: Any) -> AgenteAprovacao:
    return factories.a_proposal(tenant, by=noticing.principal(tenant, person), **values)


def test_a_new_proposal_is_told_to_those_who_may_decide_it(tenant: Tenant) -> None:
    approver, admin_person = (
        noticing.a_reachable(tenant, role) for role in (Role.APROVADOR, Role.ADMIN)
    )
    factories.a_proposal(tenant)
    noticing.spread(tenant)
    assert told(tenant, approver) == ["pendente"]
    assert told(tenant, admin_person) == []


def test_the_requester_is_not_told_to_decide_their_own(tenant: Tenant) -> None:
    both = noticing.a_reachable(tenant, Role.OPERADOR, Role.APROVADOR)
    asked_by(tenant, both)
    noticing.spread(tenant)
    assert told(tenant, both) == []


def test_who_has_no_address_or_was_switched_off_is_not_told(tenant: Tenant) -> None:
    nowhere = factories.a_person(tenant, Role.APROVADOR)
    gone = noticing.a_reachable(tenant, Role.APROVADOR)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    factories.a_proposal(tenant)
    noticing.spread(tenant)
    assert told(tenant, nowhere) == told(tenant, gone) == []


def test_nobody_of_another_company_is_told(tenant: Tenant) -> None:
    other = factories.a_tenant()
    stranger = noticing.a_reachable(other, Role.APROVADOR)
    factories.a_proposal(tenant)
    noticing.work(tenant)
    assert told(tenant, stranger) == told(other, stranger) == []


def test_who_was_told_is_not_told_again(tenant: Tenant) -> None:
    approver = noticing.a_reachable(tenant, Role.APROVADOR)
    factories.a_proposal(tenant)
    for _ in range(3):
        noticing.spread(tenant)
    assert told(tenant, approver) == ["pendente"]
    assert noticing.due("telling", tenant) == []


def test_the_warning_comes_once_its_time_has_come(admin: Connection, tenant: Tenant) -> None:
    approver = noticing.a_reachable(tenant, Role.APROVADOR)
    proposal = factories.a_proposal(tenant)
    noticing.spread(tenant)
    noticing.grow_old(admin, proposal, 0.74)
    noticing.spread(tenant)
    assert told(tenant, approver) == ["pendente"]
    noticing.grow_old(admin, proposal, 0.76)
    noticing.spread(tenant)
    assert told(tenant, approver) == ["pendente", "alerta"]


def test_who_voted_is_not_warned(admin: Connection, tenant: Tenant) -> None:
    voter, other = (noticing.a_reachable(tenant, Role.APROVADOR) for _ in range(2))
    proposal = factories.a_proposal(tenant, **noticing.HIGH)
    noticing.spread(tenant)
    factories.approve(proposal, noticing.principal(tenant, voter))
    noticing.grow_old(admin, proposal, 0.8)
    noticing.spread(tenant)
    assert told(tenant, voter) == ["pendente"]
    assert told(tenant, other) == ["pendente", "alerta"]


def test_an_escalation_is_told_to_the_role_it_was_given_to(
    admin: Connection, tenant: Tenant
) -> None:
    factories.a_policy(tenant, escalonamento=RULE)
    approver, boss = (noticing.a_reachable(tenant, role) for role in (Role.APROVADOR, Role.ADMIN))
    proposal = factories.a_proposal(tenant)
    noticing.spread(tenant)
    noticing.grow_old(admin, proposal, 0.6)
    noticing.escalate(tenant)
    noticing.spread(tenant)
    assert told(tenant, boss) == ["escalada"]
    assert told(tenant, approver) == ["pendente"]


End = Callable[[AgenteAprovacao, Tenant, Connection], object]


def expire(proposal: AgenteAprovacao, tenant: Tenant, admin: Connection) -> None:
    deciding.set_deadline(admin, proposal, "-1 second")
    expire_due(tenant_id=tenant.pk, approval_id=proposal.pk)


ENDS: dict[str, tuple[End, str]] = {
    "approved": (lambda p, t, _a: factories.approve(p, deciding.approver(t)), "foi aprovado"),
    "refused": (lambda p, t, _a: deciding.refuse(p, deciding.approver(t)), "foi recusado"),
    "sent back": (
        lambda p, t, _a: deciding.ask_for_changes(p, deciding.approver(t)),
        "Pediram mudanças",
    ),
    "expired": (expire, "expirou sem decisão"),
}


@pytest.mark.parametrize("end", ENDS)
def test_the_requester_is_told_how_it_ended(
    admin: Connection, tenant: Tenant, mailoutbox: list[EmailMessage], end: str
) -> None:
    requester = noticing.a_reachable(tenant, Role.OPERADOR)
    proposal = asked_by(tenant, requester)
    act, words = ENDS[end]
    act(proposal, tenant, admin)
    noticing.work(tenant)
    (subject,) = noticing.subjects_to(requester, mailoutbox)
    assert words in subject


def test_who_cancels_their_own_is_told_nothing(tenant: Tenant) -> None:
    requester = noticing.a_reachable(tenant, Role.OPERADOR)
    proposal = asked_by(tenant, requester)
    deciding.cancel(proposal, noticing.principal(tenant, requester))
    noticing.spread(tenant)
    assert told(tenant, requester) == []


def test_an_old_decision_is_no_news(admin: Connection, tenant: Tenant) -> None:
    requester = noticing.a_reachable(tenant, Role.OPERADOR)
    proposal = asked_by(tenant, requester)
    deciding.refuse(proposal, deciding.approver(tenant))
    admin.execute(
        "UPDATE agente_aprovacao SET decidida_em = decidida_em - interval '25 hours' WHERE id = %s",
        [proposal.pk],
    )
    assert noticing.due("telling", tenant) == []


def set_execution(admin: Connection, approved: factories.Approved, state: str) -> None:
    admin.execute(
        "UPDATE execution SET state = %s, next_lookup_at = NULL WHERE id = %s",
        [state, approved.execution_id],
    )


@pytest.mark.parametrize("state", ["desconhecida", "divergente"])
def test_an_unclear_result_is_told_to_the_approvers(
    admin: Connection, state: str, mailoutbox: list[EmailMessage]
) -> None:
    approved = factories.an_approved_execution()
    approver = noticing.a_reachable(approved.tenant, Role.APROVADOR)
    set_execution(admin, approved, state)
    noticing.work(approved.tenant)
    assert noticing.subjects_to(approver, mailoutbox) == [
        "[OpsPilot] Um resultado precisa de uma pessoa"
    ]


def test_a_result_that_is_still_looked_for_is_not_told(admin: Connection) -> None:
    approved = factories.an_approved_execution()
    approver = noticing.a_reachable(approved.tenant, Role.APROVADOR)
    set_execution(admin, approved, "desconhecida")
    admin.execute(
        "UPDATE execution SET next_lookup_at = clock_timestamp() WHERE id = %s",
        [approved.execution_id],
    )
    noticing.spread(approved.tenant)
    assert told(approved.tenant, approver) == []


def test_a_result_that_became_clear_is_not_told_any_more(
    admin: Connection, mailoutbox: list[EmailMessage]
) -> None:
    approved = factories.an_approved_execution()
    approver = noticing.a_reachable(approved.tenant, Role.APROVADOR)
    set_execution(admin, approved, "desconhecida")
    noticing.spread(approved.tenant)
    set_execution(admin, approved, "concluida")
    noticing.deliver(approved.tenant)
    assert noticing.subjects_to(approver, mailoutbox) == []


def test_who_wants_no_letters_gets_only_what_is_stuck(admin: Connection, tenant: Tenant) -> None:
    factories.a_policy(tenant, escalonamento=RULE)
    boss = noticing.a_reachable(tenant, Role.ADMIN, Role.APROVADOR)
    User.objects.filter(pk=boss.pk).update(mail_notices=False)
    proposal = factories.a_proposal(tenant)
    noticing.spread(tenant)
    assert told(tenant, boss) == []
    noticing.grow_old(admin, proposal, 0.6)
    noticing.escalate(tenant)
    noticing.spread(tenant)
    assert told(tenant, boss) == ["escalada"]


def test_who_lost_the_role_meanwhile_gets_no_letter(
    tenant: Tenant, mailoutbox: list[EmailMessage], admin: Connection
) -> None:
    approver = noticing.a_reachable(tenant, Role.APROVADOR)
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.spread(tenant)
    admin.execute("UPDATE membership SET roles = '{auditor}' WHERE user_id = %s", [approver.pk])
    noticing.deliver(tenant)
    assert noticing.subjects_to(approver, mailoutbox) == []
    (row,) = noticing.notices(tenant)
    assert row.state == NoticeState.DESCARTADO


def test_the_look_over_all_companies_and_the_look_at_one_proposal_agree(
    admin: Connection, tenant: Tenant
) -> None:
    """The rule stands twice, in SQL and in Python: at no moment may they differ."""
    factories.a_policy(tenant, escalonamento=RULE)
    proposal = factories.a_proposal(tenant)
    for share in (0.1, 0.49, 0.51, 0.74, 0.76, 0.95):
        noticing.grow_old(admin, proposal, share)
        noticing.escalate(tenant)
        with tenant_scope(tenant.pk):
            fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
            found = events.due(proposals=[fresh], now=clock.now())
        assert bool(found) == (proposal.pk in noticing.due("telling", tenant)), share
        noticing.spread(tenant)
        assert noticing.due("telling", tenant) == []


def test_a_mail_says_until_when_in_the_person_s_language_and_zone(
    tenant: Tenant, mailoutbox: list[EmailMessage]
) -> None:
    approver = noticing.a_reachable(tenant, Role.APROVADOR)
    User.objects.filter(pk=approver.pk).update(language="pt-br", time_zone="America/Noronha")
    factories.a_proposal(tenant, **noticing.HIGH)
    noticing.work(tenant)
    (letter,) = [found for found in mailoutbox if found.to == [approver.email]]
    assert "Ação: criar uma issue" in letter.body
    assert "Risco: alto" in letter.body
    assert "(UTC−2)" in letter.body


def test_the_ledger_has_no_place_for_a_second_row() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_indexdef('notice_once'::regclass), "
            "pg_get_indexdef('notice_telling_once'::regclass)"
        )
        notice, event = cursor.fetchone()
    assert "UNIQUE" in notice
    assert "(tenant_id, approval_id, kind, recipient)" in notice
    assert "(tenant_id, approval_id, kind, about)" in event


def test_every_kind_has_its_words() -> None:
    assert [kind for kind in Kind if not str(kind.label)] == []
