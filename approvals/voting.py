"""Writes a verdict: the database's triggers settle a race and alone move the proposal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection

from approvals.models import AgenteAprovacao, Verdict
from audit import trail
from audit.months.errors import trail_open
from opspilot.tenancy import sql

_VOTE = Path(__file__).parent / "sql" / "vote.sql"
_ANSWER = 3  # of the file's statements, the one whose row is read


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    subject: str
    subject_name: str
    verdict: Verdict
    seen_hash: str
    reason: str = ""
    on_behalf_of: str = ""  # whose power it uses, by delegation; '' = their own
    on_behalf_of_name: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a worker will carry out, not before its hold is over."""

    marker: str
    hold_seconds: int


def cast(
    *,
    proposal: AgenteAprovacao,
    vote: Vote,
    effect: Effect | None = None,
    line: trail.Entry | None = None,
) -> None:
    """Write the vote with its row of the trail, at once, and read the proposal as the vote left it;
    the last approval queues the effect.

    Needs an open transaction, which a DatabaseError leaves as it was before the vote.
    """
    told, facts = trail.statement(line) if line else ("", {})
    text = f"{sql.named(_VOTE)}\n{told};\nRELEASE SAVEPOINT vote"
    with trail_open(), connection.cursor() as cursor:
        try:
            cursor.execute(text, facts | _values(proposal, vote, effect))
        except DatabaseError:
            cursor.execute("ROLLBACK TO SAVEPOINT vote")
            raise
        for _statement in range(1, _ANSWER):
            cursor.nextset()
        proposal.estado, proposal.decidida_em, proposal.decidida_por, proposal.motivo = (
            cursor.fetchone()
        )


def _values(proposal: AgenteAprovacao, vote: Vote, effect: Effect | None) -> dict[str, Any]:
    return {
        "tenant_id": proposal.tenant_id,
        "approval_id": proposal.pk,
        "subject": vote.subject,
        "subject_name": vote.subject_name,
        "verdict": vote.verdict.value,
        "reason": vote.reason,
        "seen_hash": vote.seen_hash,
        "on_behalf_of": vote.on_behalf_of,
        "on_behalf_of_name": vote.on_behalf_of_name,
        "queues": effect is not None,
        "marker": effect.marker if effect else "",
        "hold_seconds": effect.hold_seconds if effect else 0,
    }
