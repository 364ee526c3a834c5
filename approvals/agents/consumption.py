"""An approved action handed to the agent that asked for it: once, in time, and as it was approved.

The agent carries it out and reports what became of it. We know that it was told once; what it then
did is its own word, and the trail says so (`informado_em`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, transaction

from approvals import canonical, entries, features, rules
from approvals.agents import grounds
from approvals.agents.agent_errors import (
    AlreadyConsumedError,
    AlreadyReportedError,
    ApproverGoneError,
    HeldError,
    NotApprovedError,
    NothingConsumedError,
    NothingToConsumeError,
    PermissionGoneError,
    TooLateError,
    WithdrawnError,
)
from approvals.deciders import eligibility
from approvals.errors import (
    ContentChangedError,
    NewerRulesError,
    NothingToWithdrawError,
    PolicyMovedError,
)
from approvals.models import (
    AgenteAprovacao,
    Consumption,
    EffectOutcome,
    EffectReport,
    State,
    Taking,
)
from approvals.policy import stored
from approvals.stops import hindrance
from approvals.stops.stop_errors import ClosedNowError, StoppedError
from audit.masking import mask
from audit.vocabulary import ACTIONS, Authorization, Result
from opspilot.errors import NotFoundError, OpsPilotError
from opspilot.tenancy import clock
from opspilot.tenancy.principal import AgentPrincipal, Principal

_LAW = {"OP001", "23505"}  # the database's law, or its unique key
MAX_REFERENCE, MAX_DETAIL = 200, 500


@dataclass(frozen=True, slots=True)
class Taken:
    """What the agent may do now, once: exactly this action, until this moment."""

    action: dict[str, Any]
    hash: str
    until: dt.datetime
    consumption: Consumption


def consume(*, agent: AgentPrincipal, proposal: AgenteAprovacao, seen_hash: str) -> Taken:
    """Hand the frozen action to the agent that asked for it. The first call gets it, no other.

    Everything is asked again right here: approval, hold, deadline by the database's clock, the
    hash, the policy in force, the standing permission and whether those who approved it still could.
    Raises NotFoundError for another's proposal, and the refusal that says why otherwise; nothing
    is consumed then.
    """
    _check_own(agent, proposal)
    _check_may_be_taken(proposal, seen_hash)
    _check_may_start(proposal)
    policy = rules.in_force()
    row = Consumption(
        tenant_id=proposal.tenant_id, approval=proposal, kind=Taking.CONSUMIDA,
        subject=agent.subject, subject_name=agent.name, seen_hash=seen_hash,
        policy_number=policy.number,
    )  # fmt: skip
    _insert(row, proposal)
    given = grounds.of(proposal)
    entries.record(
        proposal,
        action="aprovacao.consumida",
        result=Result.OK,
        authorization=given.authorization,
        aprovado_por=given.by,
        **entries.of_agent(proposal),
    )
    return Taken(proposal.proposta, proposal.acao_hash, proposal.executar_ate, row)


def report_effect(
    *,
    agent: AgentPrincipal,
    proposal: AgenteAprovacao,
    outcome: EffectOutcome,
    reference: str = "",
    detail: str = "",
    at: dt.datetime | None = None,
) -> EffectReport:
    """Write down what the agent says became of the action, once; also after the deadline.

    `reference` is where it can be found or undone, `at` the agent's own time. Both texts are masked
    like the trail's, and cut.
    """
    _check_own(agent, proposal)
    row = _report(proposal, outcome, reference, detail, at)
    _record_effect(proposal, row)
    return row


def consume_done(
    *,
    agent: AgentPrincipal,
    proposal: AgenteAprovacao,
    seen_hash: str,
    outcome: EffectOutcome,
    reference: str = "",
    detail: str = "",
    at: dt.datetime | None = None,
) -> grounds.Grounds:
    """Use the approval up for what the agent says it has done already, and keep its word of it.

    Asks and raises what `consume` does. The caller writes the effect's row of the trail, in the same
    transaction; what is returned is whose word it stands on.
    """
    consume(agent=agent, proposal=proposal, seen_hash=seen_hash)
    _report(proposal, outcome, reference, detail, at)
    return grounds.of(proposal)


def _report(
    proposal: AgenteAprovacao,
    outcome: EffectOutcome,
    reference: str,
    detail: str,
    at: dt.datetime | None,
) -> EffectReport:
    taken = Consumption.objects.filter(approval=proposal, kind=Taking.CONSUMIDA).first()
    if taken is None:
        raise NothingConsumedError(**proposal.facts)
    row = EffectReport(
        tenant_id=proposal.tenant_id, consumption=taken, outcome=outcome,
        reference=mask(reference)[:MAX_REFERENCE], detail=mask(detail)[:MAX_DETAIL],
        informado_em=at,
    )  # fmt: skip
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except DatabaseError as exc:
        raise _lost(exc, AlreadyReportedError(**proposal.facts)) from exc
    row.refresh_from_db()
    return row


def withdraw(*, proposal: AgenteAprovacao, decider: Principal) -> None:
    """Use the approval up for nothing, before the agent does: exactly one of the two happens.

    The database asks whether this person approved it. The caller writes the trail's row.
    """
    row = Consumption(
        tenant_id=proposal.tenant_id, approval=proposal, kind=Taking.RETIRADA,
        subject=decider.subject, subject_name=decider.name, seen_hash=proposal.acao_hash,
        policy_number=proposal.politica_versao,
    )  # fmt: skip
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except DatabaseError as exc:
        raise _lost(exc, NothingToWithdrawError(**proposal.facts)) from exc


def held_until(proposal: AgenteAprovacao) -> dt.datetime:
    """Until when whoever approved may still take it back before anything can happen."""
    if proposal.decidida_em is None:
        raise ValueError("not decided")
    hold = rules.rule_in_force(kind=proposal.acao).hold_seconds
    seconds = {str(risk): value for risk, value in hold.items()}[proposal.risco]
    return proposal.decidida_em + dt.timedelta(seconds=seconds)


def _check_own(agent: AgentPrincipal, proposal: AgenteAprovacao) -> None:
    """Another agent's proposal looks like none."""
    if proposal.solicitante != agent.subject:
        raise NotFoundError
    if not stored.is_external(proposal.proposta):
        raise NothingToConsumeError(**proposal.facts)


def _check_may_be_taken(proposal: AgenteAprovacao, seen_hash: str) -> None:
    """The first reason against it, in this order: what is final before what may still change."""
    _check_open(proposal)
    checks: tuple[tuple[type[OpsPilotError], Callable[[], bool]], ...] = (
        (ContentChangedError, lambda: not _is_what_was_approved(proposal, seen_hash)),
        (TooLateError, lambda: clock.now() >= proposal.executar_ate),
        (PolicyMovedError, lambda: rules.altered() or rules.moved(proposal)),
        (PermissionGoneError, lambda: not grounds.stand(proposal)),
        (ApproverGoneError, lambda: not _is_carried(proposal)),
        (HeldError, lambda: clock.now() < held_until(proposal)),
    )
    for refusal, is_so in checks:
        if is_so():
            raise refusal(**proposal.facts)


def _check_may_start(proposal: AgenteAprovacao) -> None:
    """Last, and in the transaction that hands it over: a stop pressed now waits for it."""
    found = hindrance.of(proposal)
    if found is not None:
        refusal = StoppedError if found.code == hindrance.STOPPED else ClosedNowError
        raise refusal(**proposal.facts)


def _check_open(proposal: AgenteAprovacao) -> None:
    if features.is_newer(proposal.versao_esquema):
        raise NewerRulesError(**proposal.facts)
    if proposal.estado != State.APROVADA:
        raise NotApprovedError(**proposal.facts)
    if refusal := _taken(proposal):
        raise refusal


def _is_carried(proposal: AgenteAprovacao) -> bool:
    """Whether enough of the people who approved it could still do so; no person, no question."""
    if grounds.of(proposal).authorization != Authorization.HUMANA:
        return True
    return eligibility.standing_votes(proposal=proposal) >= proposal.aprovacoes_exigidas


def _is_what_was_approved(proposal: AgenteAprovacao, seen_hash: str) -> bool:
    intact = canonical.is_hash_of(proposal.proposta, proposal.acao_hash)
    return intact and seen_hash == proposal.acao_hash


def _taken(proposal: AgenteAprovacao) -> OpsPilotError | None:
    row = Consumption.objects.filter(approval=proposal).first()
    if row is None:
        return None
    kinds = {Taking.CONSUMIDA: AlreadyConsumedError, Taking.RETIRADA: WithdrawnError}
    return kinds[Taking(row.kind)](**proposal.facts)


def _insert(row: Consumption, proposal: AgenteAprovacao) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except DatabaseError as exc:
        refusal = _taken(proposal) or TooLateError(**proposal.facts)
        raise _lost(exc, refusal) from exc
    row.refresh_from_db()


def _lost(exc: DatabaseError, refusal: OpsPilotError) -> Exception:
    """What the database's refusal means; another fault of it stays what it is."""
    return refusal if getattr(exc.__cause__, "sqlstate", "") in _LAW else exc


def _record_effect(proposal: AgenteAprovacao, row: EffectReport) -> None:
    given, done = grounds.of(proposal), row.outcome == EffectOutcome.OK
    entries.record(
        proposal,
        action=proposal.acao,
        result=Result(row.outcome),
        authorization=given.authorization,
        aprovado_por=given.by,
        informado_em=row.informado_em,
        reversivel=done and ACTIONS[proposal.acao].reversible,
        reversao_ref=row.reference or None,
        saida_resumo=row.detail if done else None,
        erro=None if done else row.detail or row.outcome,
        **entries.of_agent(proposal),
    )
