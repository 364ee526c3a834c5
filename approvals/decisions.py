"""One person decides one proposal, for the exact content shown to them."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Literal

from django.db import DatabaseError
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from approvals import canonical, drafts, entries, features, moment, rules, voting
from approvals.deciders import delegation, owners
from approvals.deciders.access_errors import (
    AgentOwnerError,
    FirstRequesterError,
    PowerUsedError,
    StepUpRequiredError,
)
from approvals.deciders.delegation import Power
from approvals.errors import (
    AlreadyDecidedError,
    ContentChangedError,
    ExpiredError,
    NewerRulesError,
    NotEligibleError,
    PolicyMovedError,
    ReasonRequiredError,
    SelfApprovalError,
)
from approvals.models import AgenteAprovacao, Decision, State, Verdict
from approvals.moment import Moment
from approvals.policy import stored
from approvals.rules import Version
from approvals.voting import Effect, Vote
from audit import trail
from audit.vocabulary import Authorization, Result
from opspilot import telemetry
from opspilot.tenancy import clock, reauthentication
from opspilot.tenancy.principal import AgentPrincipal, Principal, signature

SYSTEM = "sistema"
MIN_REASON = 10
_MOVED = "OP001"
_SKEW = dt.timedelta(minutes=1)  # between a web machine's clock and the database's
Standing = Literal[
    "may_decide", "own", "owner", "other_role", "expired", "closed", "voted", "represented",
    "altered", "asked_first",
]  # fmt: skip


def approve(
    *,
    proposal: AgenteAprovacao,
    approver: Principal,
    seen_hash: str,
    authenticated_at: dt.datetime | None = None,
) -> AgenteAprovacao:
    """The second of the two human acts: bind a person to the content they were shown.

    `authenticated_at` is when they last proved who they are; None = not known, which is never
    recent. A high risk raises StepUpRequiredError when that is over five minutes ago.
    Returns the proposal as the trigger left it; with the last vote its execution is queued.
    """
    with telemetry.span("approval", action=proposal.acao):
        power, now = _check_may_decide(proposal, approver, seen_hash)
        if needs_step_up(proposal=proposal, authenticated_at=authenticated_at, at=now.at):
            raise StepUpRequiredError(**proposal.facts)
        if rules.moved(proposal, version=now.policy):
            raise PolicyMovedError(**proposal.facts)
        vote = _vote_of(approver, Verdict.APROVAR, seen_hash, power=power)
        return _decide(proposal, approver, vote, _effect(proposal, now.policy))


def refuse(
    *, proposal: AgenteAprovacao, approver: Principal, seen_hash: str, reason: str
) -> AgenteAprovacao:
    """Close the proposal with a reason the requester will read."""
    if len(reason.strip()) < MIN_REASON:
        raise ReasonRequiredError(**proposal.facts)
    power, _now = _check_may_decide(proposal, approver, seen_hash)
    vote = _vote_of(approver, Verdict.RECUSAR, seen_hash, reason.strip(), power)
    return _decide(proposal, approver, vote)


def ask_for_changes(
    *, proposal: AgenteAprovacao, approver: Principal, seen_hash: str, reason: str
) -> AgenteAprovacao:
    """Send the proposal back with what should change. This one is closed: the next is another
    proposal, in a run of its own."""
    if len(reason.strip()) < MIN_REASON:
        raise ReasonRequiredError(**proposal.facts)
    power, _now = _check_may_decide(proposal, approver, seen_hash)
    vote = _vote_of(approver, Verdict.DEVOLVER, seen_hash, reason.strip(), power)
    return _decide(proposal, approver, vote)


def cancel(*, proposal: AgenteAprovacao, requester: Principal | AgentPrincipal) -> AgenteAprovacao:
    """The requester takes the request back before anybody decided."""
    if proposal.solicitante != requester.subject:
        raise NotEligibleError(**proposal.facts)
    _check_pending(proposal)
    vote = _vote_of(requester, Verdict.CANCELAR, proposal.acao_hash)
    return _decide(proposal, requester, vote)


def expire(*, proposal: AgenteAprovacao) -> AgenteAprovacao:
    """The clock's own decision, made by the worker's sweep; a late sweep changes nothing else."""
    if proposal.estado != State.PENDENTE:
        return proposal
    row = Decision(
        tenant_id=proposal.tenant_id, approval=proposal, subject=SYSTEM, subject_name=SYSTEM,
        verdict=Verdict.EXPIRAR, seen_hash=proposal.acao_hash,
    )  # fmt: skip
    row.save(force_insert=True)
    proposal.refresh_from_db()
    entries.record(
        proposal,
        action="aprovacao.expirada",
        result=Result.EXPIRADO,
        authorization=Authorization.REGRA,
        saida_resumo=proposal.motivo,
    )
    return proposal


def needs_step_up(
    *,
    proposal: AgenteAprovacao,
    authenticated_at: dt.datetime | None,
    at: dt.datetime | None = None,
) -> bool:
    """Whether approving this waits for a fresh proof of who approves; refusing never does.

    `at` is the database's time, where the caller has just read it.
    """
    if proposal.risco != "alto":
        return False
    if authenticated_at is None:
        return True
    age = (at or clock.now()) - authenticated_at
    return not -_SKEW <= age < reauthentication.WITHIN


def standing(*, principal: Principal, proposal: AgenteAprovacao) -> Standing:
    """How this person stands to this proposal now: one rule for the page and for the decision."""
    return _standing(principal, proposal)[0]


def standing_for(*, principal: Principal, proposal: AgenteAprovacao) -> tuple[Standing, str]:
    """The same, and the name of whom the vote would be given for by delegation; '' = their own."""
    found, power = _standing(principal, proposal)
    return found, power.name if power is not None and power.lent else ""


def _standing(
    principal: Principal, proposal: AgenteAprovacao, read: Moment | None = None
) -> tuple[Standing, Power | None]:
    """And, for who may decide, the power their vote would use."""
    if proposal.solicitante == principal.subject and proposal.estado == State.PENDENTE:
        return ("expired" if clock.now() >= proposal.expira_em else "own"), None
    if proposal.estado not in {State.PENDENTE, State.EXPIRADA}:
        return "closed", None
    if principal.subject in owners.of(proposal):
        first = owners.asked_first(principal.subject, proposal)
        return "asked_first" if first else "owner", None
    now = read or moment.read(principal=principal, proposal=proposal)
    powers = delegation.powers(
        principal=principal, proposal=proposal, deciding=now.deciding, lent=now.lent
    )
    if not powers:
        return "other_role", None
    if proposal.estado == State.EXPIRADA or now.at >= proposal.expira_em:
        return "expired", None
    return _vote(principal, proposal, powers, now)


def _vote(
    principal: Principal, proposal: AgenteAprovacao, powers: list[Power], now: Moment
) -> tuple[Standing, Power | None]:
    """A person votes once, and a power counts once, whoever uses it."""
    voters, used = delegation.used(now.votes)
    if principal.subject in voters:
        return "voted", None
    left = [power for power in powers if power.subject not in used]
    if not left:
        return "represented", None
    if not canonical.is_hash_of(proposal.proposta, proposal.acao_hash):
        return "altered", None
    return "may_decide", left[0]


def _check_may_decide(
    proposal: AgenteAprovacao, approver: Principal, seen_hash: str
) -> tuple[Power, Moment]:
    """The power the vote uses, and what was read for it. Roles are read again: those of the page
    may be gone by now."""
    if features.is_newer(proposal.versao_esquema):
        raise NewerRulesError(**proposal.facts)
    if proposal.solicitante == approver.subject:
        raise SelfApprovalError(**proposal.facts)
    now = moment.read(principal=approver, proposal=proposal)
    found, power = _standing(replace(approver, roles=now.roles), proposal, now)
    if power is not None and seen_hash == proposal.acao_hash:
        return power, now
    raise _refusal(proposal, found)


def _refusal(proposal: AgenteAprovacao, standing: Standing) -> Exception:
    match standing:
        case "owner":
            return AgentOwnerError(**proposal.facts)
        case "asked_first":
            return FirstRequesterError(**proposal.facts)
        case "other_role":
            return NotEligibleError(**proposal.facts)
        case "closed" | "voted":
            return _already_decided(proposal)
        case "represented":
            return PowerUsedError(**proposal.facts)
        case "expired":
            return ExpiredError(**proposal.facts)
        case _:
            return ContentChangedError(**proposal.facts)


def _check_pending(proposal: AgenteAprovacao) -> None:
    if proposal.estado not in {State.PENDENTE, State.EXPIRADA}:
        raise _already_decided(proposal)
    if proposal.estado == State.EXPIRADA or clock.now() >= proposal.expira_em:
        raise ExpiredError(**proposal.facts)


def _vote_of(
    by: Principal | AgentPrincipal,
    verdict: Verdict,
    seen_hash: str,
    reason: str = "",
    power: Power | None = None,
) -> Vote:
    lender = power if power is not None and power.lent else None
    return Vote(
        subject=by.subject,
        subject_name=by.name,
        verdict=verdict,
        seen_hash=seen_hash,
        reason=reason,
        on_behalf_of=lender.subject if lender else "",
        on_behalf_of_name=lender.name if lender else "",
    )


def _decide(
    proposal: AgenteAprovacao,
    by: Principal | AgentPrincipal,
    vote: Vote,
    effect: Effect | None = None,
) -> AgenteAprovacao:
    try:
        voting.cast(proposal=proposal, vote=vote, effect=effect, line=_line(proposal, vote))
    except DatabaseError as exc:
        raise _lost_race(proposal, by, exc) from exc
    return proposal


def _lost_race(
    proposal: AgenteAprovacao, by: Principal | AgentPrincipal, exc: DatabaseError
) -> Exception:
    state = getattr(exc.__cause__, "sqlstate", "")
    if state not in {_MOVED, "23505"}:  # 23505: this person's own verdict is already there
        return exc
    proposal.refresh_from_db()
    if isinstance(by, AgentPrincipal) or by.subject == proposal.solicitante:  # it was cancelling
        open_ = proposal.estado in {State.PENDENTE, State.EXPIRADA}
        return ExpiredError(**proposal.facts) if open_ else _already_decided(proposal)
    return _refusal(proposal, standing(principal=by, proposal=proposal))


def _already_decided(proposal: AgenteAprovacao) -> AlreadyDecidedError:
    if proposal.decidida_em is None:
        return AlreadyDecidedError(_("Você já votou nesta proposta."), **proposal.facts)
    sentence = _("%(who)s decidiu em %(when)s: %(state)s. A sua decisão não foi gravada.") % {
        "who": proposal.decidida_por,
        "when": date_format(localtime(proposal.decidida_em), "d/m/Y H:i:s"),
        "state": proposal.get_estado_display(),
    }
    return AlreadyDecidedError(sentence, **proposal.facts)


def _effect(proposal: AgenteAprovacao, policy: Version | None) -> Effect | None:
    """What the last vote queues; nothing for what an agent carries out itself."""
    if stored.is_external(proposal.proposta):
        return None
    hold = rules.rule_in_force(kind=proposal.acao, version=policy).hold_seconds
    marker = drafts.marker_of(
        tenant_id=proposal.tenant_id,
        run_id=proposal.correlacao_id,
        action_hash=proposal.acao_hash,
    )
    return Effect(marker, {str(risk): value for risk, value in hold.items()}[proposal.risco])


def _line(proposal: AgenteAprovacao, vote: Vote) -> trail.Entry:
    """The row of the trail about a verdict. Its reason is what the proposal ends with."""
    action, result = {
        Verdict.APROVAR: ("aprovacao.concedida", Result.OK),
        Verdict.RECUSAR: ("aprovacao.recusada", Result.RECUSADO),
        Verdict.DEVOLVER: ("aprovacao.devolvida", Result.RECUSADO),
        Verdict.CANCELAR: ("aprovacao.cancelada", Result.RECUSADO),
    }[vote.verdict]
    # Taking one's own request back authorises nothing.
    cancelled = vote.verdict == Verdict.CANCELAR
    authorization = Authorization.REGRA if cancelled else Authorization.HUMANA
    return entries.of(
        proposal,
        action=action,
        result=result,
        authorization=authorization,
        aprovado_por=_signed(vote),
        saida_resumo=vote.reason or None,
        # Who asked takes it back: the agent itself, where an agent asked.
        **(entries.of_agent(proposal) if cancelled else {}),
    )


def _signed(vote: Vote) -> str:
    """How the trail names who decided, and in whose name. The trail has one language."""
    own = signature(vote.subject_name, vote.subject)
    if not vote.on_behalf_of:
        return own
    return f"{own} por delegação de {signature(vote.on_behalf_of_name, vote.on_behalf_of)}"
