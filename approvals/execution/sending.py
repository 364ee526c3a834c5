"""One try to have the effect: look at the remote, commit the attempt's row, send, settle.

Three short transactions and none of them open while the remote is spoken to (design §7). All that
speaks to it is one guarded step, so a remote that is left alone uses up no attempt.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass

from approvals import canonical
from approvals.execution import attempts, claims, points, settlement
from approvals.execution.claims import Claim
from approvals.execution.effects import Effect
from approvals.execution.seen import Found, Seen
from approvals.execution.speaking import speaking
from audit.months import catalogue as months
from opspilot import telemetry
from opspilot.connectors.errors import (
    BreakerOpenError,
    ConnectorError,
    NotSentError,
    PostponedError,
    RefusedByRemoteError,
    ThrottledError,
    UnavailableError,
    UnmarkedError,
)
from opspilot.tenancy.scope import tenant_scope

FIRST_LOOK = 2.0  # seconds after which something that runs on is looked at


@dataclass(slots=True)
class _Try:
    """`number` is the attempt's from the moment its row is committed; 0 = nothing can have left."""

    claim: Claim
    effect: Effect
    tries: int
    number: int = 0
    began: float = 0.0

    @property
    def milliseconds(self) -> int:
        return int((time.monotonic() - self.began) * 1000)


def send(claim: Claim, effect: Effect) -> None:
    tries = claim.execution.attempts + 1
    this = _Try(claim, effect, tries)
    with telemetry.span("execution", action=claim.proposal.acao, attempt=tries):
        answer = _guarded(this)
        if this.number:
            points.reach("answer_read")
        with tenant_scope(claim.execution.tenant_id):
            if this.number:
                _settle(this, answer)
            else:
                _not_begun(this, answer)
            points.reach("before_commit")
        points.reach("after_commit")


_Answer = Seen | Found | str | ConnectorError


def _guarded(this: _Try) -> _Answer:
    """The answer, the fault that was seen before sending, or the failure as a value: each is
    settled in its own way."""
    tenant_id = this.claim.execution.tenant_id
    try:
        with speaking(this.effect.connector, tenant_id=tenant_id):
            return _looked(this) or _exchange(this)
    except ConnectorError as exc:
        return exc


def _looked(this: _Try) -> Found | str | None:
    """Read-only, right before: why it must not be sent, or that it need not be. A second request is
    only made when the list, read whole at this moment, does not have the first one's effect."""
    claim, effect = this.claim, this.effect
    fault = effect.preflight(claim.proposal)
    if fault or claim.earlier is None:
        return fault or None
    since = claim.earlier - attempts.SKEW
    try:
        found = effect.find(claim.proposal, claim.execution.marker, since=since)
    except UnmarkedError:
        if claim.execution.resend_until is None:
            raise
        return None  # the page said so, and two people asked for the request all the same
    if not found.seen and not found.complete:
        raise UnavailableError("the list was not read whole")
    return found if found.seen else None


def _exchange(this: _Try) -> Seen | str:
    claim, effect = this.claim, this.effect
    body = effect.body(claim.proposal, claim.execution.marker)
    try:
        effect.check(body)
    except ValueError:
        return "corpo_invalido"  # with an attempt's row it would have to be looked for
    with tenant_scope(claim.execution.tenant_id):
        months.require_open()  # an effect that could not be recorded must not be had
        # Committed before the first byte leaves: a dead worker cannot hide that it sent.
        claims.renew(claim, attempts=this.tries)
        # Where another claim has sent since, the row's key refuses the number.
        number = (claim.sent or 0) + 1
        sha = hashlib.sha256(canonical.dumps(body).encode()).hexdigest()
        attempts.note(claim, kind=attempts.SENT, number=number, body_sha256=sha)
    this.number, this.began = number, time.monotonic()
    points.reach("intent_written")
    # A process that was stopped here must not send what another one looks for by now.
    claims.check_time(claim, seconds=effect.timeout)
    with telemetry.span(effect.connector, kind="create"):
        return effect.send(claim.proposal, body)


def _not_begun(this: _Try, answer: _Answer) -> None:
    claim = this.claim
    match answer:
        case Found(seen=(first, *others)):
            settlement.effect(claim, first, others=others)
        case str(fault):
            settlement.blocked(claim, reason=fault)
        case BreakerOpenError(retry_after=wait):
            settlement.queued_up(claim, reason="destino_em_pausa", wait=wait)
        case PostponedError(retry_after=wait):
            settlement.queued_up(claim, reason="sem_vaga", wait=wait)
        case RefusedByRemoteError():
            # A token that expired overnight: a person can have it tried again.
            settlement.blocked(claim, reason="destino_sem_acesso")
        case _:
            later = answer.retry_after if isinstance(answer, ThrottledError) else None
            settlement.postponed(claim, tries=this.tries, reason="destino_indisponivel", wait=later)


def _settle(this: _Try, answer: _Answer) -> None:
    """One transaction: what the remote said, the new state and the trail row."""
    claim, tries = this.claim, this.tries
    outcome = "ok" if isinstance(answer, Seen) else type(answer).__name__
    attempts.note(claim, kind=attempts.ANSWERED, number=this.number, outcome=outcome[:20])
    match answer:
        case Seen(running=True):
            settlement.started(claim, answer, wait=FIRST_LOOK)
        case Seen():
            settlement.effect(claim, answer, duration_ms=this.milliseconds)
        case NotSentError():
            settlement.postponed(claim, tries=tries, reason="destino_indisponivel")
        case ThrottledError(retry_after=wait):
            settlement.postponed(claim, tries=tries, reason="destino_ocupado", wait=wait)
        case RefusedByRemoteError(status=status):
            settlement.refused(claim, status=status)
        case _:
            settlement.unknown(claim, reason="resposta_perdida", timeout=this.effect.timeout)
