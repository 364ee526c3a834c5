"""What was tried for an execution: insert-only rows, and what follows from them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from approvals.execution import claims
from approvals.execution.claims import Claim
from approvals.models import Execution, ExecutionAttempt

SENT, ANSWERED, LOOKED_UP = "envio", "resposta", "busca"
INTERRUPTED = "interrompido"
FOUND, NOTHING, UNREADABLE = "achado", "nada_achado", "lista_indisponivel"
UNMARKED = "sem_marcador"
# Of a look at what a person pointed at. It is a look-up by its kind: the release before shows it.
PROVEN, NOT_OURS, NOT_THERE, NO_ANSWER = "confere", "nao_confere", "nao_achada", "sem_resposta"
PROOFS = frozenset({PROVEN, NOT_OURS, NOT_THERE, NO_ANSWER})
SKEW = dt.timedelta(minutes=5)  # between our clock and the remote's
# Answers after which nothing was done; with any other, or with none, something may have been.
_NOTHING_DONE = (
    "NotSentError",
    "BreakerOpenError",
    "NoSlotError",
    "NotAllowedError",
    "ThrottledError",
    "RefusedByRemoteError",
)


def note(claim: Claim, *, kind: str, number: int, held: bool = False, **values: Any) -> None:
    """Append to what was tried, or raise LateClaimError and append nothing. `held`: a write
    of this transaction before it has named the token."""
    if not held:
        claims.update(claim)
    ExecutionAttempt.objects.create(
        tenant_id=claim.execution.tenant_id,
        execution=claim.execution,
        kind=kind,
        number=number,
        claim_token=claim.token,
        **values,
    )


def count(execution: Execution, kind: str) -> int:
    """How often, also before a person let it be tried again."""
    return _of(execution).filter(kind=kind).count()


def of(execution: Execution) -> list[ExecutionAttempt]:
    """All of them, oldest first. Only who holds the execution adds to them."""
    return list(_of(execution).order_by("id"))


def unanswered(rows: Sequence[ExecutionAttempt]) -> int:
    """The number of the last request whose outcome was never written; 0 when there is none."""
    numbers = {kind: {row.number for row in rows if row.kind == kind} for kind in (SENT, ANSWERED)}
    last = max(numbers[SENT], default=0)
    return 0 if last in numbers[ANSWERED] else last


def uncertain(execution: Execution) -> int:
    """How many requests left that may have had their effect."""
    return _uncertain(ExecutionAttempt.objects.filter(execution=execution)).count()


def left_in(rows: Iterable[ExecutionAttempt]) -> bool:
    """The same of rows that were read already."""
    return earliest(rows) is not None


def may_have_happened() -> Exists:
    """The same of a row of `execution`, for a condition: whether there is such a request."""
    return Exists(_uncertain(ExecutionAttempt.objects.filter(execution=OuterRef("pk"))))


def earliest(rows: Iterable[ExecutionAttempt]) -> dt.datetime | None:
    """When the first of them left."""
    found = list(rows)
    undone = {row.number for row in found if row.kind == ANSWERED and row.outcome in _NOTHING_DONE}
    left = [row for row in found if row.kind == SENT and row.number not in undone]
    return min(left, key=lambda row: row.number).at if left else None


def first_sent_at(execution: Execution) -> dt.datetime:
    return _of(execution).filter(kind=SENT).order_by("number")[0].at


def clean_for(execution: Execution) -> dt.timedelta | None:
    """Between the first and the last of the clean look-ups in a row that came last, and None when
    there are fewer than two: a failed one, or another request, begins a new row."""
    newest = _of(execution).exclude(outcome__in=PROOFS).order_by("-id")
    row = list(takewhile(lambda item: item.outcome == NOTHING, newest))
    return row[0].at - row[-1].at if len(row) > 1 else None


def _of(execution: Execution) -> QuerySet[ExecutionAttempt]:
    return ExecutionAttempt.objects.filter(execution=execution)


def _uncertain(rows: QuerySet[ExecutionAttempt]) -> QuerySet[ExecutionAttempt]:
    done = ExecutionAttempt.objects.filter(
        execution=OuterRef("execution"),
        kind=ANSWERED,
        number=OuterRef("number"),
        outcome__in=_NOTHING_DONE,
    )
    return rows.filter(~Exists(done), kind=SENT)
