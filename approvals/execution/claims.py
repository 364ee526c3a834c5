"""The claim on an execution: one token per claim, a lease by the database's clock.

Every write of a claim's holder names the token; a late holder changes nothing.
"""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.db.models.functions import Now

from approvals.models import (
    SCHEMA_VERSION,
    AgenteAprovacao,
    Execution,
    ExecutionAttempt,
    ExecutionState,
)
from opspilot.tenancy import lease

SENT, ANSWERED, LOOKED_UP = "envio", "resposta", "busca"


class LateClaimError(RuntimeError):
    """Another claim has taken over; what this holder learned is not written."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A held execution and what it was doing when it was taken."""

    execution: Execution
    proposal: AgenteAprovacao
    token: uuid.UUID
    found_in: str


def take(*, execution_id: int) -> Claim | None:
    """Claim a due execution, or None when it is not due, not ours to know, or just taken."""
    due = Execution.objects.filter(_due(), pk=execution_id, versao_esquema__lte=SCHEMA_VERSION)
    execution = due.first()
    if execution is None:
        return None
    token = lease.take(
        due.filter(state=execution.state),
        seen=execution.claim_token,
        state=_while_held(execution.state),
        updated_at=Now(),
    )
    if token is None:
        return None
    proposal = AgenteAprovacao.objects.get(pk=execution.approval_id)
    return Claim(execution, proposal, token, execution.state)


def update(claim: Claim, **values: Any) -> None:
    """Write under the claim's token, or raise LateClaimError and write nothing."""
    mine = Execution.objects.filter(pk=claim.execution.pk, claim_token=claim.token)
    if not mine.update(updated_at=Now(), **values):
        raise LateClaimError(claim.execution.pk)


def renew(claim: Claim, **values: Any) -> None:
    """Extend the lease from now, unless it already ended."""
    mine = Execution.objects.filter(pk=claim.execution.pk, claim_token=claim.token)
    if not lease.renew(mine, updated_at=Now(), **values):
        raise LateClaimError(claim.execution.pk)


def release(claim: Claim, *, state: ExecutionState, **values: Any) -> None:
    """Give the execution up in this state; the token is void from here on."""
    update(claim, state=state, **lease.RELEASED, **values)


def note(claim: Claim, *, kind: str, number: int, **values: Any) -> None:
    """Append to what was tried."""
    ExecutionAttempt.objects.create(
        tenant_id=claim.execution.tenant_id,
        execution=claim.execution,
        kind=kind,
        number=number,
        claim_token=claim.token,
        **values,
    )


def sent(execution: Execution) -> int:
    """How many requests left for this execution, also before a person let it be tried again."""
    return ExecutionAttempt.objects.filter(execution=execution, kind=SENT).count()


def unanswered(execution: Execution) -> bool:
    """Whether a request left whose outcome was never written: it may have happened."""
    kinds = list(
        ExecutionAttempt.objects.filter(execution=execution).values_list("kind", flat=True)
    )
    return kinds.count(SENT) > kinds.count(ANSWERED)


def first_sent_at(execution: Execution) -> dt.datetime:
    rows = ExecutionAttempt.objects.filter(execution=execution, kind=SENT).order_by("number")
    return rows[0].at


def _due() -> Q:
    return (
        Q(state=ExecutionState.RETIDA, not_before__lte=Now())
        | Q(state=ExecutionState.EM_ENVIO) & lease.ended()
        | Q(state=ExecutionState.DESCONHECIDA, next_lookup_at__lte=Now()) & lease.free()
    )


def _while_held(state: str) -> str:
    """A look-up keeps the word "unknown" on the page; anything else is being sent."""
    if state == ExecutionState.DESCONHECIDA:
        return state
    return ExecutionState.EM_ENVIO
