"""What the page of one proposal shows, read once: the frozen action, what surrounds it, its life."""

from __future__ import annotations

from typing import Any

from approvals import canonical, decisions, evidence, proposals, rules
from approvals.agents import uses
from approvals.deciders import eligibility, escalation_words
from approvals.execution import followups, proving, recovery, undoing, withdrawal
from approvals.inbox import (
    chain,
    detail_words,
    execution_words,
    fields,
    open_issues,
    presenters,
    similar,
    wording,
)
from approvals.inbox.around import Around
from approvals.inbox.chain import Chain
from approvals.inbox.selectors import Row
from approvals.inbox.similar import Last
from approvals.models import AgenteAprovacao, Escalation, ExecutionState, State, Verdict
from approvals.policy import policy_checks, stored
from approvals.stops import notes
from audit import entities
from opspilot.presentation import days
from opspilot.presentation.field_changes import compare
from opspilot.tenancy import selectors as people
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import ASKERS, RESUMERS, TRAIL_READERS

Context = dict[str, Any]


def of(principal: Principal, proposal: AgenteAprovacao, read: Around) -> Context:
    votes = sum(verdict.verdict == Verdict.APROVAR for verdict in read.decisions)
    row = Row(proposal, votes, read.execution, uses.state(proposal, read.use, read.now))
    # An altered action is read by nobody: it may have lost any of its fields.
    intact = canonical.is_hash_of(proposal.proposta, proposal.acao_hash)
    checks = policy_checks.of(proposal, made_under=read.made_under, in_force=read.in_force)
    comparable = intact and fields.is_known(proposal.proposta)
    nearest = similar.nearest(proposal, read.titles) if comparable else None
    links = chain.of(proposal, beside=nearest.pk if nearest else None)
    last = Last(links.beside, nearest.alike) if links.beside and nearest else None
    frozen: Context = _frozen(proposal, checks, last) if intact else {"fields": [], "unread": ""}
    timing = _timing(principal, row, checks, read)
    life = _life(principal, row, read, held=bool(timing["holds"]))
    return (
        {"proposal": proposal, "execution": row.execution, "intact": intact}
        | frozen
        | _around(principal, proposal, frozen["fields"], links, read)
        | _policy(row, checks, read, intact=intact)
        | life
        | timing
        | _standing(principal, row, read, life["deciders"])
    )


def _frozen(proposal: AgenteAprovacao, checks: policy_checks.Checks, last: Last | None) -> Context:
    marker = presenters.marker(proposal)
    shown = fields.of(proposal.proposta, marker, document=checks.document)
    known = fields.is_known(proposal.proposta)
    return {
        "fields": shown,
        # Of a kind this code does not know: shown as it is stored, decided by nobody.
        "unread": "" if known else presenters.raw(proposal),
        "drawn": detail_words.drawn(proposal, marker) if known else "",
        "body": presenters.body(proposal) if known else "",
        "consequence": presenters.consequence(proposal) if known else "",
        "difference": _difference(proposal, checks, last) if last else None,
    }


def _difference(proposal: AgenteAprovacao, checks: policy_checks.Checks, found: Last) -> Context:
    """Against the last similar one that was decided."""
    last = found.proposal
    state, word = wording.state(last, None)
    readable = canonical.is_hash_of(last.proposta, last.acao_hash)
    before, after = (fields.of(p.proposta, "", document=checks.document) for p in (last, proposal))
    return {
        "last": last,
        "alike": found.alike,
        "state": state,
        "word": word,
        "readable": readable,
        "found": compare(before, after) if readable else None,
    }


def _around(
    principal: Principal,
    proposal: AgenteAprovacao,
    shown: list[Any],
    links: Chain,
    read: Around,
) -> Context:
    attempts = detail_words.attempts(proposal, links)
    return {
        "client": entities.title_of(type_=proposal.entidade_tipo, ref=proposal.entidade_id),
        "quotes": evidence.quotes(proposal.evidencia, who=principal) if proposal.evidencia else [],
        "runbooks": _runbooks(principal, proposal),
        "coverage": wording.coverage(proposal.cobertura),
        "asked_by": detail_words.asked_by(proposal, _owner(proposal)),
        "undoing": undoing.of(proposal.acao, proposal.proposta),
        "attempts": attempts,
        "attempts_dated": days.need_dates(attempts),
        "attempts_cut": links.cut,
        "after": links.following,
        "comments": read.comments,
        "deceptive": detail_words.hidden(proposal, shown, read.comments),
        "alike": _alike(proposal, read),
    }


def _runbooks(principal: Principal, proposal: AgenteAprovacao) -> list[evidence.Runbook]:
    target = proposal.proposta.get("target")
    template = target.get("template_id") if isinstance(target, dict) else None
    return evidence.runbooks(template, who=principal) if isinstance(template, int) else []


def _owner(proposal: AgenteAprovacao) -> str:
    return people.name_of(proposal.agente_dono) if proposal.agente_dono else ""


def _alike(proposal: AgenteAprovacao, read: Around) -> Context | None:
    """Only while there is something to decide: it informs, and decides nothing."""
    if proposal.estado != State.PENDENTE or not similar.has_title(proposal):
        return None
    seen = open_issues.seen(proposal, read.issues)
    waiting = similar.waiting(proposal, read.titles)
    return {
        "waiting": waiting,
        "seen": seen,
        "found": bool(waiting.shown or (seen and seen.alike)),
        "looked": detail_words.looked_words(seen) if seen else "",
        "fault": detail_words.fault_words(seen) if seen else "",
    }


def _policy(row: Row, checks: policy_checks.Checks, read: Around, *, intact: bool) -> Context:
    proposal, pending = row.proposal, row.proposal.estado == State.PENDENTE
    return {
        "checks": checks,
        # What is closed and what is done is judged by nothing any more.
        "stuck": _stuck(proposal, read) if pending else None,
        "judged_now": pending or (row.execution and row.execution.state == ExecutionState.RETIDA),
        "moved": intact and pending and rules.moved(proposal, policy=checks.policy),
        "alive": proposal.estado in {State.PENDENTE, State.APROVADA} and not row.execution,
    }


def _timing(principal: Principal, row: Row, checks: policy_checks.Checks, read: Around) -> Context:
    """What stands in the way of a start, and the moment that was chosen for it."""
    document = checks.policy.document if checks.policy else None
    return {
        "holds": notes.of(
            row.proposal,
            principal=principal,
            execution=row.execution,
            document=document,
            now=read.now,
        ),
        "chosen": notes.facts(row.proposal, document),
    }


def _stuck(proposal: AgenteAprovacao, read: Around) -> dict[str, str] | None:
    return eligibility.note(
        proposal=proposal,
        holders=eligibility.holders_in(read.holders),
        given=_counted(proposal, read),
        decided=read.decisions,
    )


def _counted(proposal: AgenteAprovacao, read: Around) -> list[Escalation]:
    """The escalations that the policy in force still stands for."""
    given = [row.to_role for row in read.escalations]
    still = rules.still_given(kind=proposal.acao, roles=given, version=read.in_force)
    return [row for row in read.escalations if row.to_role in still]


def _life(principal: Principal, row: Row, read: Around, *, held: bool) -> Context:
    proposal, execution, given = row.proposal, row.execution, read.escalations
    entries = presenters.timeline(principal, proposal, read.decisions, read.attempts, given)
    entries += presenters.withdrawn(execution, read.decisions)
    if stored.is_external(proposal.proposta):
        entries += uses.timeline(read.use)
    state, word = wording.state(proposal, execution, row.effect)
    return {
        "sentence": wording.sentence(proposal),
        "state": state,
        "word": word,
        "done": execution is not None
        and execution.state in {ExecutionState.CONCLUIDA, ExecutionState.REVERTIDA},
        "facts": presenters.facts(row, read.now),
        "entries": entries,
        "dated": days.need_dates(entries),
        "deciders": escalation_words.deciders(proposal.papel_exigido, _counted(proposal, read)),
        "note": presenters.effect_note(row, held=held),
        "pace": presenters.pace(execution, read.now),
        "received": execution_words.differences(proposal, execution),
        "others": execution_words.others(execution),
        "about": execution_words.about(read.about),
        "original": execution_words.original(proposal),
    }


def _standing(principal: Principal, row: Row, read: Around, deciders: str) -> Context:
    """What this person may do here, and why not the rest."""
    proposal, execution = row.proposal, row.execution
    standing, lender = decisions.standing_for(principal=principal, proposal=proposal)
    missing = proposal.aprovacoes_exigidas - row.votes
    own = proposal.solicitante == principal.subject
    return {
        "standing": standing if fields.is_known(proposal.proposta) else "unread",
        "lender": lender,
        "standing_words": presenters.standing_words(standing, proposal, missing, deciders),
        "can_withdraw": withdrawal.can_withdraw(principal=principal, proposal=proposal, read=read),
        "can_resume": principal.has(*RESUMERS) and recovery.can_resume(execution),
        "can_point": principal.has(*RESUMERS)
        and proving.can_say(execution, proposal)
        and followups.can_be_sent_again(execution, proposal),
        "can_undo": principal.has(*ASKERS) and followups.can_be_reversed(execution, proposal),
        "can_send_again": principal.has(*ASKERS)
        and followups.can_be_sent_again(execution, proposal),
        "asks_again": own and proposals.can_be_asked_again(proposal),
        "reads_trail": principal.has(*TRAIL_READERS),
    }
