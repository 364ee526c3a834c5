"""The database's clock ends what nobody decided, in time and only once."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection

from approvals import rules
from approvals.errors import (
    ExpiredError,
)
from approvals.expiry import expire_due
from approvals.models import AgenteAprovacao, Decision, State, Verdict
from audit.models import AgenteAcao
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.deciding import (
    approver,
    cancel,
    insert_verdict,
    nothing_happened,
    refuse,
    set_deadline,
)


def due_everywhere(kind: str) -> list[tuple[uuid.UUID, int]]:
    """The worker's own look, without its limit: other tests leave due rows behind."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, id FROM due_work(%s, 100000)", [kind])
        return list(cursor.fetchall())


def test_a_deadline_that_passed_refuses_every_decision(committed: None, admin: Connection) -> None:
    tenant = factories.a_tenant()
    requester = factories.a_principal(tenant, Role.OPERADOR)
    proposal = factories.a_proposal(tenant, by=requester)
    set_deadline(admin, proposal, "-1 second")
    acts: list[Callable[[], AgenteAprovacao]] = [
        lambda: factories.approve(proposal, approver(tenant)),
        lambda: refuse(proposal, approver(tenant)),
        lambda: cancel(proposal, requester),
    ]
    for act in acts:
        with pytest.raises(ExpiredError):
            act()
    assert nothing_happened(proposal)


def test_a_decision_after_the_deadline_is_refused_by_the_database_too(
    committed: None, admin: Connection
) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    set_deadline(admin, proposal, "-1 second")
    with pytest.raises(DatabaseError, match="expiry is the clock's"):
        insert_verdict(proposal, subject="usuario:0", verdict=Verdict.APROVAR)
    assert nothing_happened(proposal)


def test_a_deadline_that_passes_between_the_check_and_the_write_is_the_database_s(
    committed: None, admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)

    def meanwhile(found: AgenteAprovacao, *, version: object) -> bool:
        set_deadline(admin, found, "-1 second")
        return False

    monkeypatch.setattr(rules, "moved", meanwhile)
    with pytest.raises(ExpiredError):
        factories.approve(proposal, approver(tenant))
    assert nothing_happened(proposal)


def test_the_sweep_expires_what_nobody_decided_and_says_so(
    committed: None, admin: Connection
) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    set_deadline(admin, proposal, "-1 second")
    assert (proposal.tenant_id, proposal.pk) in due_everywhere("expiry")
    expire_due(tenant_id=proposal.tenant_id, approval_id=proposal.pk)
    with tenant_scope(proposal.tenant_id):
        proposal.refresh_from_db()
        row = AgenteAcao.objects.get(acao="aprovacao.expirada")
    assert proposal.estado == State.EXPIRADA
    assert (row.resultado, row.autorizacao, row.aprovado_por) == ("expirado", "regra", None)
    assert (proposal.tenant_id, proposal.pk) not in due_everywhere("expiry")


def test_a_sweep_that_comes_twice_expires_once(committed: None, admin: Connection) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    set_deadline(admin, proposal, "-1 second")
    for _ in range(2):
        expire_due(tenant_id=proposal.tenant_id, approval_id=proposal.pk)
    with tenant_scope(proposal.tenant_id):
        assert Decision.objects.filter(approval=proposal).count() == 1


def test_a_sweep_that_comes_after_a_decision_changes_nothing(
    committed: None, admin: Connection
) -> None:
    tenant = factories.a_tenant()
    proposal = factories.approve(factories.a_proposal(tenant), approver(tenant))
    set_deadline(admin, proposal, "-1 second")
    expire_due(tenant_id=tenant.pk, approval_id=proposal.pk)
    with tenant_scope(tenant.pk):
        assert AgenteAprovacao.objects.get(pk=proposal.pk).estado == State.APROVADA


def test_a_sweep_before_the_deadline_does_not_expire(committed: None) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    with pytest.raises(DatabaseError, match="expiry is the clock's"):
        expire_due(tenant_id=proposal.tenant_id, approval_id=proposal.pk)
    assert nothing_happened(proposal)
