"""How a claim ends: state, what was tried, and the trail row, in one transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from approvals import entries, features
from approvals.actions import ISSUE_CLOSED
from approvals.execution import attempts, claims
from approvals.execution.claims import Claim
from approvals.execution.seen import Progress, Seen
from approvals.models import Execution, ExecutionState
from approvals.tasks.task_command import TASK_RUN
from audit.vocabulary import ACTIONS, Authorization, Result
from opspilot.resilience.backoff import exponential
from opspilot.tenancy import lease

MAX_TRIES = 5
LONGEST_HOLD = dt.timedelta(seconds=60)  # then what stood in the way is asked again
# Look-ups after the first, as shares of the grace: at 180 s they come 5 s, 15 s, 1 min, 3 min and
# 5 min apart. After the last of them a person is asked.
LOOKUP_SHARES = (1 / 36, 1 / 12, 1 / 3, 1.0, 5 / 3)


def effect(claim: Claim, seen: Seen, *, others: Sequence[Seen] = (), duration_ms: int = 0) -> None:
    """It exists. As approved it is done; otherwise, or twice, it is an incident and no success."""
    differs = [*seen.differs, *(["duplicada"] if others else [])]
    remote = seen.remote | ({"received": seen.received} if seen.received else {})
    if others:
        remote["others"] = [other.remote for other in others]
    claims.release(
        claim,
        state=ExecutionState.DIVERGENTE if differs else ExecutionState.CONCLUIDA,
        remote=remote,
        reason=",".join(differs)[:60],
        proof={},
        next_lookup_at=None if differs else _confirmed_at(claim),
    )
    _record_effect(claim, differs, seen.summary, str(remote.get("url", "")), duration_ms)
    if claim.proposal.acao in {ISSUE_CLOSED, TASK_RUN} and not differs:
        _revert(claim)


def _revert(claim: Claim) -> None:
    """What this one undid is marked as undone, and the trail says so in the run of both."""
    about = claim.proposal.sobre
    if about is None:
        return
    done = Execution.objects.filter(approval=about, state=ExecutionState.CONCLUIDA)
    # A look that is still to come stays: what was undone may have been done twice.
    done.update(state=ExecutionState.REVERTIDA, updated_at=Now(), **lease.RELEASED)
    entries.record(
        about,
        action="execucao.revertida",
        result=Result.OK,
        authorization=Authorization.HUMANA,
        aprovado_por=claim.proposal.decidida_por,
        saida_resumo=str(claim.proposal.ref),
        reversao_ref=str(claim.proposal.ref),
    )


def _confirmed_at(claim: Claim) -> Any:
    """When to look once more: an earlier request may arrive after a later one was answered."""
    if claim.sent == 0 or attempts.uncertain(claim.execution) < 2:
        return None
    return Now() + dt.timedelta(seconds=settings.OPSPILOT_GRACE_SECONDS)


def _record_effect(
    claim: Claim, differs: Sequence[str], summary: str, url: str, duration_ms: int = 0
) -> None:
    kind = claim.proposal.acao
    words = _("difere do aprovado: %(fields)s") % {"fields": ", ".join(differs)}
    record(
        claim,
        kind,
        Result.ERRO if differs else Result.OK,
        saida_resumo=summary,
        erro=words if differs else None,
        reversivel=ACTIONS[kind].reversible,
        reversao_ref=url,
        duracao_ms=duration_ms,
    )


def confirmed(claim: Claim, found: Sequence[Seen]) -> None:
    """A look after a second request: still one effect, or by now two of them."""
    others = [seen for seen in found if seen.remote.get("id") != claim.execution.remote.get("id")]
    if not others:
        claims.release(claim, state=ExecutionState(claim.found_in), next_lookup_at=None)
        return
    remote = claim.execution.remote | {"others": [seen.remote for seen in others]}
    claims.release(
        claim,
        state=ExecutionState.DIVERGENTE,
        remote=remote,
        reason="duplicada",
        next_lookup_at=None,
    )
    _record_effect(claim, ["duplicada"], others[0].summary, str(remote.get("url", "")))


def started(claim: Claim, seen: Seen, *, wait: float) -> None:
    """It runs on by itself: followed from here on, and never sent again."""
    keep_following(claim, wait=wait, remote=seen.remote)
    record(claim, "execucao.iniciada", Result.OK, saida_resumo=seen.summary)


def keep_following(claim: Claim, *, wait: float, **values: Any) -> None:
    claims.release(
        claim,
        state=ExecutionState.EM_ENVIO,
        next_lookup_at=Now() + dt.timedelta(seconds=wait),
        **values,
    )


def ended(claim: Claim, progress: Progress) -> None:
    """What was followed has come to its end, or to the end of its time."""
    if progress.unknown:
        claims.release(
            claim,
            state=ExecutionState.DESCONHECIDA,
            reason=progress.unknown,
            remote=progress.remote,
            lookups=claim.execution.lookups + 1,
            next_lookup_at=None,
        )
        erro = progress.unknown
        record(
            claim,
            claim.proposal.acao,
            Result.DESCONHECIDO,
            erro=erro,
            saida_resumo=progress.summary,
        )
    else:
        effect(claim, Seen(progress.remote, list(progress.differs), progress.summary))
    if progress.incident:
        record(claim, "incidente.aberto", Result.ERRO, saida_resumo=progress.summary)


def refused(claim: Claim, *, status: int) -> None:
    """The remote said no. Nothing was done by this request and it will not be tried again."""
    reason = f"destino_recusou_{status}"
    state = _unless_uncertain(claim, ExecutionState.RECUSADA)
    claims.release(claim, state=state, reason=reason, next_lookup_at=None)
    record(claim, claim.proposal.acao, Result.RECUSADO, erro=reason)


def blocked(claim: Claim, *, reason: str) -> None:
    """Fails closed before anything was sent; a person reads why."""
    state = _unless_uncertain(claim, ExecutionState.BLOQUEADA)
    claims.release(claim, state=state, reason=reason, next_lookup_at=None)
    record(claim, "execucao.bloqueada", Result.RECUSADO, erro=reason)


def _unless_uncertain(claim: Claim, state: ExecutionState) -> ExecutionState:
    """That nothing was done can be said only where no earlier request may have done it."""
    return ExecutionState.DESCONHECIDA if attempts.uncertain(claim.execution) else state


def held_back(claim: Claim, *, reason: str, until: dt.datetime | None = None) -> None:
    """Something stands in the way for a while: no attempt was made, and none is used up."""
    _wait(claim, reason=reason, not_before=until or Now() + LONGEST_HOLD)


def queued_up(claim: Claim, *, reason: str, wait: float) -> None:
    """The remote is being left alone, or all places are taken: no attempt is used up."""
    _wait(claim, reason=reason, not_before=Now() + dt.timedelta(seconds=wait))


def _wait(claim: Claim, *, reason: str, not_before: Any) -> None:
    claims.release(claim, state=ExecutionState.RETIDA, reason=reason, not_before=not_before)
    if claim.execution.reason != reason:  # told once, however often it is asked
        record(claim, "execucao.adiada", Result.ERRO, erro=reason)


def postponed(claim: Claim, *, tries: int, reason: str, wait: float | None = None) -> None:
    """Nothing was sent: try again later, a bounded number of times, then wait for a person."""
    if tries >= MAX_TRIES:
        blocked(claim, reason=f"{reason}_esgotado")
        return
    seconds = wait or exponential(tries, first=5.0, ceiling=300.0)
    claims.release(
        claim,
        state=ExecutionState.RETIDA,
        reason=reason,
        attempts=tries,
        not_before=Now() + dt.timedelta(seconds=seconds),
    )
    record(claim, "execucao.adiada", Result.ERRO, erro=reason)


def unknown(claim: Claim, *, reason: str, timeout: float) -> None:
    """It may have happened. The look-up waits for the client's own deadline to pass."""
    claims.release(
        claim,
        state=ExecutionState.DESCONHECIDA,
        reason=reason,
        lookups=0,
        next_lookup_at=Now() + dt.timedelta(seconds=timeout + 1),
    )
    record(claim, claim.proposal.acao, Result.DESCONHECIDO, erro=reason)


def not_found(claim: Claim, *, reason: str) -> None:
    """A look-up that found nothing proves nothing: look again, later, and then ask a person."""
    done = claim.execution.lookups + 1
    claims.release(
        claim,
        state=ExecutionState.DESCONHECIDA,
        lookups=done,
        reason=reason,
        proof={},
        next_lookup_at=_next_look(done),
    )
    record(claim, "execucao.procurada", Result.DESCONHECIDO, saida_resumo=reason)


def not_proved(claim: Claim, *, reason: str) -> None:
    """What a person pointed at is not ours, or could not be read: as unknown as before."""
    done = claim.execution.lookups
    claims.release(
        claim,
        state=ExecutionState.DESCONHECIDA,
        reason=reason,
        proof={},
        next_lookup_at=_next_look(done),
    )
    record(claim, "execucao.procurada", Result.DESCONHECIDO, saida_resumo=reason)


def _next_look(done: int) -> Any:
    """After so many look-ups; None when it is a person's turn."""
    if done > len(LOOKUP_SHARES):
        return None
    share = LOOKUP_SHARES[done - 1] * settings.OPSPILOT_GRACE_SECONDS
    return Now() + dt.timedelta(seconds=share)


def unreadable(claim: Claim) -> None:
    """What was sent cannot be compared any more: the state stays, and nobody looks by itself."""
    state = ExecutionState(claim.found_in)
    if state == ExecutionState.EM_ENVIO:
        state = ExecutionState.DESCONHECIDA
    claims.release(claim, state=state, reason="conteudo_mudou", next_lookup_at=None)
    record(claim, "execucao.bloqueada", Result.RECUSADO, erro="conteudo_mudou")


def look_later(claim: Claim, *, wait: float) -> None:
    """The look-up itself could not be made; it counts as none."""
    state = ExecutionState(claim.found_in)
    claims.release(claim, state=state, next_lookup_at=Now() + dt.timedelta(seconds=wait))


def sent_again(claim: Claim) -> None:
    """Back in the queue: asked everything once more there, and only then sent a second time.

    The row is for workers that know this rule from here on (I12).
    """
    claims.release(
        claim,
        state=ExecutionState.RETIDA,
        reason="reenvio_automatico",
        attempts=0,
        not_before=Now(),
        next_lookup_at=None,
        versao_esquema=max(claim.execution.versao_esquema, features.FEATURES[features.RESEND]),
    )
    record(claim, "execucao.reenviada", Result.PENDENTE, saida_resumo="nada_achado")


def record(claim: Claim, action: str, result: Result, **values: Any) -> None:
    entries.record(
        claim.proposal,
        action=action,
        result=result,
        authorization=Authorization.HUMANA,
        aprovado_por=claim.proposal.decidida_por,
        **values,
    )
