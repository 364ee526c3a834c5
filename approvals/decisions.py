"""One person decides one proposal, for the exact content shown to them."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from django.db import DatabaseError, transaction
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from approvals import canonical, drafts, entries, rules
from approvals.errors import (
    AlreadyDecidedError,
    ContentChangedError,
    ExpiredError,
    NotEligibleError,
    PolicyMovedError,
    ReasonRequiredError,
    SelfApprovalError,
)
from approvals.models import (
    AgenteAprovacao,
    Decision,
    Execution,
    State,
    Verdict,
)
from audit.vocabulary import Authorization, Result
from opspilot import telemetry
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal

SYSTEM = "sistema"
MIN_REASON = 10
_MOVED = "OP001"
Standing = Literal["may_decide", "own", "other_role", "expired", "closed", "voted", "altered"]


def approve(*, proposal: AgenteAprovacao, approver: Principal, seen_hash: str) -> AgenteAprovacao:
    """The second of the two human acts: bind a person to the content they were shown.

    Returns the proposal as the trigger left it; with the last vote its execution is queued.
    """
    with telemetry.span("approval", action=proposal.acao):
        _check_may_decide(proposal, approver, seen_hash)
        if rules.moved(proposal):
            raise PolicyMovedError(**proposal.facts)
        proposal = _decide(proposal, approver, Verdict.APROVAR, seen_hash, "")
        if proposal.estado == State.APROVADA:
            _queue_execution(proposal)
        return proposal


def refuse(
    *, proposal: AgenteAprovacao, approver: Principal, seen_hash: str, reason: str
) -> AgenteAprovacao:
    """Close the proposal with a reason the requester will read."""
    if len(reason.strip()) < MIN_REASON:
        raise ReasonRequiredError(**proposal.facts)
    _check_may_decide(proposal, approver, seen_hash)
    return _decide(proposal, approver, Verdict.RECUSAR, seen_hash, reason.strip())


def ask_for_changes(
    *, proposal: AgenteAprovacao, approver: Principal, seen_hash: str, reason: str
) -> AgenteAprovacao:
    """Send the proposal back with what should change. This one is closed: the next is another
    proposal, in a run of its own."""
    if len(reason.strip()) < MIN_REASON:
        raise ReasonRequiredError(**proposal.facts)
    _check_may_decide(proposal, approver, seen_hash)
    return _decide(proposal, approver, Verdict.DEVOLVER, seen_hash, reason.strip())


def cancel(*, proposal: AgenteAprovacao, requester: Principal) -> AgenteAprovacao:
    """The requester takes the request back before anybody decided."""
    if proposal.solicitante != requester.subject:
        raise NotEligibleError(**proposal.facts)
    _check_pending(proposal)
    return _decide(proposal, requester, Verdict.CANCELAR, proposal.acao_hash, "")


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
    _record(proposal, "aprovacao.expirada", Result.EXPIRADO, Authorization.REGRA, None)
    return proposal


def standing(*, principal: Principal, proposal: AgenteAprovacao) -> Standing:
    """How this person stands to this proposal now: one rule for the page and for the decision."""
    if proposal.solicitante == principal.subject and proposal.estado == State.PENDENTE:
        return "expired" if clock.now() >= proposal.expira_em else "own"
    if proposal.estado not in {State.PENDENTE, State.EXPIRADA}:
        return "closed"
    if proposal.papel_exigido not in {str(role) for role in principal.roles}:
        return "other_role"
    if proposal.estado == State.EXPIRADA or clock.now() >= proposal.expira_em:
        return "expired"
    if Decision.objects.filter(approval=proposal, subject=principal.subject).exists():
        return "voted"
    intact = canonical.is_hash_of(proposal.proposta, proposal.acao_hash)
    return "may_decide" if intact else "altered"


def _check_may_decide(proposal: AgenteAprovacao, approver: Principal, seen_hash: str) -> None:
    if proposal.solicitante == approver.subject:
        raise SelfApprovalError(**proposal.facts)
    match standing(principal=approver, proposal=proposal):
        case "other_role":
            raise NotEligibleError(**proposal.facts)
        case "closed" | "voted":
            raise _already_decided(proposal)
        case "expired":
            raise ExpiredError(**proposal.facts)
        case "altered":
            raise ContentChangedError(**proposal.facts)
    if seen_hash != proposal.acao_hash:
        raise ContentChangedError(**proposal.facts)


def _check_pending(proposal: AgenteAprovacao) -> None:
    if proposal.estado not in {State.PENDENTE, State.EXPIRADA}:
        raise _already_decided(proposal)
    if proposal.estado == State.EXPIRADA or clock.now() >= proposal.expira_em:
        raise ExpiredError(**proposal.facts)


def _decide(
    proposal: AgenteAprovacao, by: Principal, verdict: Verdict, seen_hash: str, reason: str
) -> AgenteAprovacao:
    """Insert the verdict; the database trigger settles a race and moves the state."""
    row = Decision(
        tenant_id=proposal.tenant_id, approval=proposal, subject=by.subject, subject_name=by.name,
        verdict=verdict, reason=reason, seen_hash=seen_hash,
    )  # fmt: skip
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except DatabaseError as exc:
        raise _lost_race(proposal, exc) from exc
    proposal.refresh_from_db()
    _record_verdict(proposal, by, verdict)
    return proposal


def _lost_race(proposal: AgenteAprovacao, exc: DatabaseError) -> Exception:
    state = getattr(exc.__cause__, "sqlstate", "")
    if state not in {_MOVED, "23505"}:  # 23505: this person's own verdict is already there
        return exc
    proposal.refresh_from_db()
    if proposal.estado == State.PENDENTE and clock.now() >= proposal.expira_em:
        return ExpiredError(**proposal.facts)
    return _already_decided(proposal)


def _already_decided(proposal: AgenteAprovacao) -> AlreadyDecidedError:
    if proposal.decidida_em is None:
        return AlreadyDecidedError(_("Você já votou nesta proposta."), **proposal.facts)
    sentence = _("%(who)s decidiu em %(when)s: %(state)s. A sua decisão não foi gravada.") % {
        "who": proposal.decidida_por,
        "when": date_format(localtime(proposal.decidida_em), "d/m/Y H:i:s"),
        "state": proposal.get_estado_display(),
    }
    return AlreadyDecidedError(sentence, **proposal.facts)


def _queue_execution(proposal: AgenteAprovacao) -> None:
    hold = rules.in_force().document.issue_criada.hold_seconds
    seconds = {str(risk): value for risk, value in hold.items()}[proposal.risco]
    Execution.objects.create(
        tenant_id=proposal.tenant_id,
        approval=proposal,
        marker=drafts.marker_of(
            tenant_id=proposal.tenant_id,
            run_id=proposal.correlacao_id,
            action_hash=proposal.acao_hash,
        ),
        versao_esquema=proposal.versao_esquema,
        not_before=clock.now() + dt.timedelta(seconds=seconds),
    )


def _record_verdict(proposal: AgenteAprovacao, by: Principal, verdict: Verdict) -> None:
    action, result = {
        Verdict.APROVAR: ("aprovacao.concedida", Result.OK),
        Verdict.RECUSAR: ("aprovacao.recusada", Result.RECUSADO),
        Verdict.DEVOLVER: ("aprovacao.devolvida", Result.RECUSADO),
        Verdict.CANCELAR: ("aprovacao.cancelada", Result.RECUSADO),
    }[verdict]
    # Taking one's own request back authorises nothing.
    cancelled = verdict == Verdict.CANCELAR
    authorization = Authorization.REGRA if cancelled else Authorization.HUMANA
    _record(proposal, action, result, authorization, by)


def _record(
    proposal: AgenteAprovacao,
    action: str,
    result: Result,
    authorization: Authorization,
    by: Principal | None,
) -> None:
    entries.record(
        proposal,
        action=action,
        result=result,
        authorization=authorization,
        aprovado_por=by.signature if by else None,
        saida_resumo=proposal.motivo,
    )
