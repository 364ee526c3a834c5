"""The claim on an execution: one token per claim, a lease by the database's clock.

Every write of a claim's holder names the token; a late holder changes nothing.
"""

from __future__ import annotations

import datetime as dt
import time
import uuid
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from approvals.models import (
    SCHEMA_VERSION,
    AgenteAprovacao,
    Execution,
    ExecutionAttempt,
    ExecutionState,
)
from opspilot.tenancy import lease


class LateClaimError(RuntimeError):
    """Another claim has taken over; what this holder learned is not written."""


@dataclass(slots=True)
class Claim:
    """A held execution and what it was doing when it was taken. `ends` is when the lease is over,
    by this machine's own clock: to be asked before something is done that cannot be undone."""

    execution: Execution
    proposal: AgenteAprovacao
    token: uuid.UUID
    found_in: str
    ends: float
    was_tried: bool  # whether there are rows of what was tried before
    earlier: dt.datetime | None = None  # when a request left that may have had the effect already
    sent: int | None = None  # how many requests had left when it was claimed; None = not asked


@dataclass(frozen=True, slots=True)
class Due:
    """What may be claimed, kept until the transaction ends."""

    execution: Execution
    was_tried: bool


def due(*, execution_id: int) -> Due | None:
    """The execution with its proposal; None when it is not due or not ours to know. What another
    transaction keeps is not waited for: it is that one's turn."""
    tried = Exists(ExecutionAttempt.objects.filter(execution=OuterRef("pk")))
    rows = Execution.objects.select_related("approval").annotate(was_tried=tried)
    kept = rows.select_for_update(skip_locked=True, of=("self",))
    found = kept.filter(_due(), pk=execution_id, versao_esquema__lte=SCHEMA_VERSION).first()
    return None if found is None else Due(found, found.was_tried)


def begin(found: Due) -> Claim | None:
    """Claim it, in the transaction that keeps it; None where the database lets nothing start."""
    execution, ends = found.execution, _end_of_lease()
    state, held = execution.state, _while_held(execution.state)
    kept = Execution.objects.filter(pk=execution.pk, versao_esquema__lte=SCHEMA_VERSION)
    seen = execution.claim_token
    token = lease.take(kept.filter(state=state), seen=seen, state=held, updated_at=Now())
    if token is None:
        return None
    execution.state, execution.claim_token = held, token
    return Claim(execution, execution.approval, token, state, ends, found.was_tried)


def update(claim: Claim, **values: Any) -> None:
    """Write under the claim's token, or raise LateClaimError and write nothing."""
    mine = Execution.objects.filter(pk=claim.execution.pk, claim_token=claim.token)
    if not mine.update(updated_at=Now(), **values):
        raise LateClaimError(claim.execution.pk)


def renew(claim: Claim, **values: Any) -> None:
    """Extend the lease from now, unless it already ended."""
    ends = _end_of_lease()
    mine = Execution.objects.filter(pk=claim.execution.pk, claim_token=claim.token)
    if not lease.renew(mine, updated_at=Now(), **values):
        raise LateClaimError(claim.execution.pk)
    claim.ends = ends


def hold(claim: Claim) -> None:
    """Keep the row until the transaction ends, or raise LateClaimError where it is another's by now:
    for what is written beside it."""
    mine = Execution.objects.filter(pk=claim.execution.pk, claim_token=claim.token)
    if not mine.select_for_update().values_list("pk"):
        raise LateClaimError(claim.execution.pk)


def release(claim: Claim, *, state: ExecutionState, **values: Any) -> None:
    """Give the execution up in this state; the token is void from here on."""
    update(claim, state=state, **lease.RELEASED, **values)


def check_time(claim: Claim, *, seconds: float) -> None:
    """Raise LateClaimError unless the lease lasts that much longer, or half of it where it is shorter
    than that: a process that was stopped and goes on must not begin what another may do by now."""
    needed = min(seconds, float(settings.OPSPILOT_LEASE_SECONDS) / 2)
    if time.monotonic() + needed > claim.ends:
        raise LateClaimError(claim.execution.pk)


def _end_of_lease() -> float:
    """Read before the statement that begins the lease, so never later than the database's."""
    return time.monotonic() + float(settings.OPSPILOT_LEASE_SECONDS)


def _due() -> Q:
    looks_again = Q(next_lookup_at__lte=Now()) & lease.free()
    return (
        Q(state=ExecutionState.RETIDA, not_before__lte=Now())
        | Q(state=ExecutionState.EM_ENVIO) & lease.ended()
        | Q(state__in=_LOOKED_AT) & looks_again
    )


_LOOKED_AT = (
    ExecutionState.EM_ENVIO,
    ExecutionState.DESCONHECIDA,
    ExecutionState.CONCLUIDA,
    ExecutionState.REVERTIDA,
)


def _while_held(state: str) -> str:
    """A look-up keeps the word on the page; anything else is being sent."""
    if state == ExecutionState.RETIDA:
        return ExecutionState.EM_ENVIO
    return state
