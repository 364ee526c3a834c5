"""Somebody takes several of their own requests back, one after the other, each told by itself.

It can only stop: deciding several at once does not exist. A high risk is never part of it, so that
each of those is read once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.db import transaction

from approvals import decisions
from approvals.errors import AlreadyDecidedError, ExpiredError
from approvals.models import AgenteAprovacao, State
from audit import trail
from opspilot.errors import NotFoundError, RefusedError
from opspilot.tenancy.principal import Principal

MOST = 50
Ending = Literal["cancelled", "closed", "expired", "high_risk", "unknown"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one of them. Somebody else's is as unknown as one that never was."""

    proposal: AgenteAprovacao | None
    ending: Ending


def candidates(*, principal: Principal) -> list[AgenteAprovacao]:
    """The person's requests that wait, the nearest deadline first, as many as a page offers."""
    mine = AgenteAprovacao.objects.filter(solicitante=principal.subject, estado=State.PENDENTE)
    return list(mine.defer("evidencia", "justificativa").order_by("expira_em", "pk")[:MOST])


def still_waiting(*, principal: Principal, refs: Sequence[UUID]) -> list[AgenteAprovacao]:
    """Of these, those that pressing the button would take back now, the nearest deadline first."""
    shown = set(refs)
    rows = candidates(principal=principal)
    return [row for row in rows if row.ref in shown and row.risco != "alto"]


def cancel_many(*, principal: Principal, refs: Sequence[UUID]) -> list[Outcome]:
    """In the order given, each once, MOST at the most; whatever cannot be cancelled stays as it is
    and leaves its refusal in the trail. Done again it changes nothing."""
    return [_cancel(principal, ref) for ref in dict.fromkeys(refs[:MOST])]


def _cancel(principal: Principal, ref: UUID) -> Outcome:
    mine = AgenteAprovacao.objects.filter(ref=ref, solicitante=principal.subject).first()
    if mine is None:
        return _refused(principal, NotFoundError(), None, "unknown")
    if mine.risco == "alto" and mine.estado == State.PENDENTE:
        return Outcome(mine, "high_risk")
    try:
        with transaction.atomic():
            decisions.cancel(proposal=mine, requester=principal)
    except ExpiredError as exc:
        return _refused(principal, exc, mine, "expired")
    except AlreadyDecidedError as exc:
        return _refused(principal, exc, mine, "closed")
    return Outcome(mine, "cancelled")


def _refused(
    principal: Principal, error: RefusedError, proposal: AgenteAprovacao | None, ending: Ending
) -> Outcome:
    trail.record_refusal(principal=principal, error=error)
    return Outcome(proposal, ending)
