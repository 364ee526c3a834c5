"""Undoing an effect and sending an unknown one again: proposals of their own, decided by other people."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from pytest_django import Settings

from approvals import canonical, decisions, proposals
from approvals.errors import (
    AskedAlreadyError,
    NothingToReverseError,
    NothingToSendAgainError,
    PolicyRefusedError,
    SelfApprovalError,
)
from approvals.execution import followups
from approvals.models import AgenteAprovacao, Execution, ExecutionState
from audit.models import AgenteAcao
from opspilot.connectors.errors import OutcomeUnknownError
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.browsing import as_
from tests.db.deciding import refuse
from tests.db.executing import (
    advance,
    attempts,
    change,
    make_due,
    resume,
    the_issue,
    trail,
    unknown_outcome,
)
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
WHY = "O pedido se perdeu e ninguém achou a issue."


def ask(approved: Approved, by: Principal, prepare: Any) -> AgenteAprovacao:
    with tenant_scope(approved.tenant.pk):
        draft = prepare(principal=by, run_id=uuid.uuid4(), proposal=approved.proposal)
        return proposals.create(
            principal=by,
            draft=draft,
            seen_hash=draft.hash,
            justification=WHY,
            entity=None,
            evidence=[],
        )


def decided(approved: Approved, made: AgenteAprovacao, by: Principal) -> Approved:
    proposal = factories.approve(made, by)
    with tenant_scope(approved.tenant.pk):
        queued = Execution.objects.get(approval=proposal)
    return Approved(approved.tenant, approved.requester, by, proposal, queued.pk)


def done() -> Approved:
    approved = factories.an_approved_execution()
    advance(approved, FakeTracker())
    return approved


def given_up() -> Approved:
    """Unknown, and the system looks no more by itself."""
    approved, _ = unknown_outcome()
    change(approved, lookups=6, next_lookup_at=None)
    return approved


def test_an_approved_reversal_closes_exactly_that_issue_and_marks_the_original() -> None:
    approved = done()
    made = ask(approved, approved.requester, followups.reversal)
    reversal = decided(approved, made, approved.approver)
    tracker = FakeTracker()
    assert advance(reversal, tracker).state == ExecutionState.CONCLUIDA
    assert [(c.what, c.project_id, c.iid) for c in tracker.calls if c.iid] == [("close", 412, 7)]
    assert approved.execution().state == ExecutionState.REVERTIDA


def test_both_are_linked_and_the_trail_of_the_original_names_the_reversal() -> None:
    approved = done()
    made = ask(approved, approved.requester, followups.reversal)
    advance(decided(approved, made, approved.approver), FakeTracker())
    assert made.sobre_id == approved.proposal.pk
    assert made.correlacao_id != approved.proposal.correlacao_id
    (row,) = trail(approved, "execucao.revertida")
    assert (row.correlacao_id, row.reversao_ref) == (
        approved.proposal.correlacao_id,
        str(made.ref),
    )


def test_nothing_is_closed_before_another_person_approved() -> None:
    approved = done()
    made = ask(approved, approved.requester, followups.reversal)
    with tenant_scope(approved.tenant.pk):
        assert not Execution.objects.filter(approval=made).exists()
    with pytest.raises(SelfApprovalError):
        factories.approve(made, approved.requester)


def test_a_reversal_that_was_asked_for_is_not_asked_for_twice() -> None:
    approved = done()
    ask(approved, approved.requester, followups.reversal)
    with pytest.raises(AskedAlreadyError):
        ask(approved, approved.requester, followups.reversal)


def test_who_may_not_have_an_issue_created_may_not_have_one_closed() -> None:
    approved = done()
    with pytest.raises(PolicyRefusedError):
        ask(approved, approved.approver, followups.reversal)


def test_what_is_not_done_is_not_reversed() -> None:
    approved = factories.an_approved_execution()
    with pytest.raises(NothingToReverseError):
        ask(approved, approved.requester, followups.reversal)


def test_a_closing_whose_answer_was_lost_is_looked_up_and_found() -> None:
    approved = done()
    made = ask(approved, approved.requester, followups.reversal)
    reversal = decided(approved, made, approved.approver)
    advance(reversal, FakeTracker(closes=[OutcomeUnknownError("lost")]))
    make_due(reversal)
    row = advance(reversal, FakeTracker(gets=[the_issue(approved, state="closed")]))
    assert row.state == ExecutionState.CONCLUIDA
    assert approved.execution().state == ExecutionState.REVERTIDA


def test_an_approved_resend_is_one_more_attempt_of_the_same_execution() -> None:
    approved = given_up()
    made = ask(approved, approved.requester, followups.resend)
    repeat, tracker = decided(approved, made, approved.approver), FakeTracker()
    assert advance(repeat, tracker).state == ExecutionState.CONCLUIDA
    assert tracker.calls == []
    waiting = approved.execution()
    assert (waiting.state, waiting.reason) == (ExecutionState.RETIDA, "reenvio_autorizado")
    assert advance(approved, tracker).state == ExecutionState.CONCLUIDA
    assert [c.what for c in tracker.calls] == ["project_path", "find", "create"]
    assert [kind for kind, _n, _o in attempts(approved)].count("envio") == 2


def test_a_resend_carries_the_whole_content_that_was_approved_at_first() -> None:
    approved = given_up()
    made = ask(approved, approved.requester, followups.resend)
    assert made.proposta["original"]["action"] == approved.proposal.proposta
    assert made.proposta["original"]["hash"] == approved.proposal.acao_hash
    assert canonical.is_hash_of(made.proposta, made.acao_hash)
    assert (made.aprovacoes_exigidas, made.papel_exigido) == (
        approved.proposal.aprovacoes_exigidas,
        approved.proposal.papel_exigido,
    )


def test_an_approved_resend_may_leave_after_the_first_deadline(admin: Connection) -> None:
    approved = given_up()
    past(admin, approved)
    made = ask(approved, approved.requester, followups.resend)
    advance(decided(approved, made, approved.approver), FakeTracker())
    assert advance(approved, FakeTracker()).state == ExecutionState.CONCLUIDA


def test_a_policy_that_moved_keeps_an_approved_resend_back_and_the_outcome_unknown() -> None:
    approved = given_up()
    made = ask(approved, approved.requester, followups.resend)
    repeat = decided(approved, made, approved.approver)
    advance(repeat, FakeTracker())
    factories.a_policy(approved.tenant, projects=factories.projects_with("infra", labels=[]))
    tracker = FakeTracker()
    row = advance(approved, tracker)
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "politica_mudou")
    assert tracker.count("create") == 0


def test_a_resend_of_what_was_found_meanwhile_changes_nothing() -> None:
    approved = given_up()
    made = ask(approved, approved.requester, followups.resend)
    repeat = decided(approved, made, approved.approver)
    change(approved, state=ExecutionState.CONCLUIDA)
    row = advance(repeat, FakeTracker())
    assert (row.state, row.reason) == (ExecutionState.BLOQUEADA, "execucao_mudou")
    assert approved.execution().state == ExecutionState.CONCLUIDA


def test_one_approval_lets_one_request_leave(admin: Connection) -> None:
    approved = given_up()
    made = ask(approved, approved.requester, followups.resend)
    repeat = decided(approved, made, approved.approver)
    advance(repeat, FakeTracker())
    admin.execute("UPDATE execution SET state = 'retida' WHERE id = %s", [repeat.execution_id])
    advance(approved, FakeTracker(creates=[OutcomeUnknownError("lost again")]))
    change(approved, next_lookup_at=None)
    row = advance(repeat, FakeTracker())
    assert (row.state, row.reason) == (ExecutionState.BLOQUEADA, "execucao_mudou")


def test_after_the_one_request_of_an_approval_nothing_is_sent_again_by_itself(
    settings: Settings,
) -> None:
    settings.OPSPILOT_GRACE_SECONDS = 0.0
    approved = given_up()
    made = ask(approved, approved.requester, followups.resend)
    advance(decided(approved, made, approved.approver), FakeTracker())
    tracker = FakeTracker(creates=[OutcomeUnknownError("lost again")])
    for _ in range(9):
        row = advance(approved, tracker)
        make_due(approved)
    assert (row.state, row.next_lookup_at) == (ExecutionState.DESCONHECIDA, None)
    assert tracker.count("create") == 1


def stopped_early(settings: Settings) -> tuple[Approved, FakeTracker]:
    """Unknown with looks and requests left, and nobody looks by itself: the policy had moved."""
    settings.OPSPILOT_GRACE_SECONDS = 0.0
    approved, tracker = unknown_outcome()
    advance(approved, tracker)
    change(approved, next_lookup_at=None)
    return approved, tracker


def searched_again(approved: Approved, tracker: FakeTracker) -> list[str]:
    """The reasons a person reads after each of three searches they ask for."""
    reasons = []
    for _ in range(3):
        resume(approved)
        reasons.append(advance(approved, tracker).reason)
        change(approved, next_lookup_at=None)
        if reasons[-1] == "reenvio_automatico":
            break
    return reasons


def test_after_a_refused_resend_no_search_leads_to_a_request_by_itself(settings: Settings) -> None:
    approved, tracker = stopped_early(settings)
    made = ask(approved, approved.requester, followups.resend)
    refuse(made, approved.approver)
    assert "reenvio_automatico" not in searched_again(approved, tracker)
    assert tracker.count("create") == 0


def test_a_search_that_nobody_was_asked_about_may_still_lead_to_one(settings: Settings) -> None:
    approved, tracker = stopped_early(settings)
    assert searched_again(approved, tracker)[-1] == "reenvio_automatico"


def test_nothing_is_sent_again_while_the_system_still_looks() -> None:
    approved, _ = unknown_outcome()
    with pytest.raises(NothingToSendAgainError):
        ask(approved, approved.requester, followups.resend)


def test_what_somebody_else_asked_for_is_decided_like_anything_else() -> None:
    approved = given_up()
    made = ask(approved, approved.requester, followups.resend)
    with tenant_scope(approved.tenant.pk), pytest.raises(SelfApprovalError):
        decisions.approve(proposal=made, approver=approved.requester, seen_hash=made.acao_hash)


@pytest.mark.parametrize(
    ("make", "path", "label"),
    [(done, "reversao", "Fechar a issue 7"), (given_up, "reenvio", "Enviar de novo")],
)
def test_the_page_shows_what_is_confirmed_and_makes_the_proposal(
    make: Any, path: str, label: str
) -> None:
    approved = make()
    browser = as_(approved.requester)
    address = f"/rodadas/sobre/{approved.proposal.ref}/{path}/"
    assert address in browser.read(f"/aprovacoes/{approved.proposal.ref}/")
    page = browser.read(address)
    assert label in page
    hash_ = page.partition('name="acao_hash" value="')[2][:64]
    answer = browser.client.post(address, {"acao_hash": hash_, "justificativa": WHY})
    assert answer.status_code == 302, answer.content
    made = browser.read(answer["Location"])
    assert label in made
    assert f"/aprovacoes/{approved.proposal.ref}/" in made
    assert answer["Location"] in browser.read(f"/aprovacoes/{approved.proposal.ref}/")


def test_one_that_was_refused_is_asked_for_again_on_the_page_of_the_original() -> None:
    approved = done()
    made = ask(approved, approved.requester, followups.reversal)
    refuse(made, approved.approver)
    browser = as_(approved.requester)
    assert "Pedir de novo" not in browser.read(f"/aprovacoes/{made.ref}/")
    assert "Propor a reversão" in browser.read(f"/aprovacoes/{approved.proposal.ref}/")


def test_the_run_of_a_follow_up_can_be_opened() -> None:
    approved = done()
    browser = as_(approved.requester)
    address = f"/rodadas/sobre/{approved.proposal.ref}/reversao/"
    hash_ = browser.read(address).partition('name="acao_hash" value="')[2][:64]
    browser.client.post(address, {"acao_hash": hash_, "justificativa": WHY})
    with tenant_scope(approved.tenant.pk):
        made = AgenteAprovacao.objects.get(sobre=approved.proposal)
        assert AgenteAcao.objects.filter(correlacao_id=made.correlacao_id).exists()
    assert "Fechar a issue 7" in browser.read(f"/rodadas/{made.correlacao_id}/")


def test_pages_are_not_for_those_who_ask_for_nothing() -> None:
    approved = done()
    auditor = as_(factories.a_principal(approved.tenant, Role.AUDITOR))
    address = f"/rodadas/sobre/{approved.proposal.ref}/reversao/"
    assert address not in auditor.read(f"/aprovacoes/{approved.proposal.ref}/")
    assert auditor.client.get(address).status_code == 403


def past(admin: Connection, approved: Approved) -> None:
    admin.execute(
        "UPDATE agente_aprovacao SET executar_ate = clock_timestamp() - interval '1 s' "
        "WHERE id = %s",
        [approved.proposal.pk],
    )
