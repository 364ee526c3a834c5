"""What was tried for an execution: insert-only rows, and what follows from them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from approvals.execution.claims import Claim, LateClaimError
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


# The token is asked for by the statement that writes, and its row kept until the transaction ends.
_NOTE = """
INSERT INTO execution_attempt (tenant_id, execution_id, number, kind, claim_token, outcome, detail,
                               body_sha256)
SELECT e.tenant_id, e.id, %(number)s, %(kind)s, e.claim_token, %(outcome)s, %(detail)s,
       %(body_sha256)s
  FROM execution e
 WHERE e.tenant_id = %(tenant_id)s AND e.id = %(execution_id)s AND e.claim_token = %(token)s
   FOR UPDATE
"""


def note(
    claim: Claim,
    *,
    kind: str,
    number: int,
    outcome: str = "",
    detail: str = "",
    body_sha256: str = "",
) -> None:
    """Append to what was tried, or raise LateClaimError and append nothing."""
    row: dict[str, Any] = {
        "tenant_id": claim.execution.tenant_id,
        "execution_id": claim.execution.pk,
        "token": claim.token,
        "kind": kind,
        "number": number,
        "outcome": outcome,
        "detail": detail,
        "body_sha256": body_sha256,
    }
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, row)
        if not cursor.rowcount:
            raise LateClaimError(claim.execution.pk)


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
