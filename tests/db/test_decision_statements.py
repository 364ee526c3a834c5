"""What a decision asks of the database, and what it leaves there when it is lost."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from approvals import decisions, entries, rules, voting
from approvals.models import AgenteAprovacao, Decision, Execution, State, Verdict
from approvals.voting import Effect, Vote
from audit.models import AgenteAcao
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.deciding import approver

pytestmark = pytest.mark.django_db


def a_vote(proposal: AgenteAprovacao, subject: str = "usuario:900001") -> Vote:
    return Vote(
        subject=subject,
        subject_name="aprovador",
        verdict=Verdict.APROVAR,
        seen_hash=proposal.acao_hash,
    )


def test_an_approval_asks_twice_once_the_policy_was_read() -> None:
    tenant = factories.a_tenant()
    first, second = (factories.a_proposal(tenant) for _number in range(2))
    by = approver(tenant)
    factories.approve(first, by)
    with tenant_scope(tenant.pk), CaptureQueriesContext(connection) as asked:
        decisions.approve(proposal=second, approver=by, seen_hash=second.acao_hash)
    assert len(asked) == 2  # what holds now; the vote with its row of the trail


def test_the_returned_proposal_says_what_the_stored_one_says() -> None:
    tenant = factories.a_tenant()
    proposal = factories.approve(factories.a_proposal(tenant), approver(tenant))
    with tenant_scope(tenant.pk):
        stored = AgenteAprovacao.objects.get(pk=proposal.pk)
    for name in ("estado", "decidida_em", "decidida_por", "motivo"):
        assert getattr(proposal, name) == getattr(stored, name)


def test_a_refused_vote_leaves_the_open_transaction_as_it_was() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=())
    with tenant_scope(tenant.pk):
        vote, effect = a_vote(proposal), Effect("opk", 0)
        voting.cast(proposal=proposal, vote=vote, effect=effect)
        with pytest.raises(DatabaseError):
            voting.cast(proposal=proposal, vote=vote, effect=effect)
        assert Decision.objects.count() == 1
        assert AgenteAprovacao.objects.get(pk=proposal.pk).estado == State.PENDENTE
        assert not Execution.objects.exists()


def test_a_vote_that_is_lost_leaves_no_row_of_the_trail() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    with tenant_scope(tenant.pk):
        line = entries.of(
            proposal,
            action="aprovacao.concedida",
            result=Result.OK,
            authorization=Authorization.HUMANA,
        )
        told = AgenteAcao.objects.filter(acao=line.acao)
        voting.cast(proposal=proposal, vote=a_vote(proposal), line=line)
        with pytest.raises(DatabaseError):
            voting.cast(proposal=proposal, vote=a_vote(proposal), line=line)
        assert told.count() == 1


def test_only_the_last_vote_queues_the_effect() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=())
    with tenant_scope(tenant.pk):
        for subject, queued in (("usuario:900001", 0), ("usuario:900002", 1)):
            vote = a_vote(proposal, subject)
            voting.cast(proposal=proposal, vote=vote, effect=Effect("opk", 0))
            assert Execution.objects.count() == queued


def test_a_policy_is_read_once_and_the_next_version_counts_at_once() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    with tenant_scope(tenant.pk):
        before = rules.in_force()
        with CaptureQueriesContext(connection) as asked:
            assert rules.in_force() == before
        factories.a_policy(tenant, max_assignees=0)
        after = rules.in_force()
    assert len(asked) == 1
    assert (before.number, before.document.issue_criada.max_assignees) == (1, 1)
    assert (after.number, after.document.issue_criada.max_assignees) == (2, 0)


def test_the_policy_of_another_company_is_never_taken_for_this_one_s() -> None:
    here, there = factories.a_tenant(), factories.a_tenant()
    factories.a_policy(here)
    with tenant_scope(here.pk):
        known = rules.in_force()
    with tenant_scope(there.pk), pytest.raises(rules.NoPolicyError):
        rules.in_force()
    factories.a_policy(there, max_assignees=0)
    with tenant_scope(there.pk):
        assert rules.in_force().document != known.document
