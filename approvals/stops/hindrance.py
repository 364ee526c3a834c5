"""Whether an approved effect may start at this moment: asked right before it would (issue 5)."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection

from approvals import rules
from approvals.models import AgenteAprovacao
from approvals.policy import stored
from approvals.rules import NoPolicyError, UnreadablePolicyError, Version
from approvals.stops import calendar
from opspilot.tenancy import sql
from opspilot.tenancy.scope import current_tenant_id

_SQL = Path(__file__).parents[1] / "sql" / "hindrance.sql"
STOPPED, SCHEDULED = "parada_de_emergencia", "ainda_nao_e_hora"
_NO_CONNECTOR = "-"  # an agent carries it out: no connector of ours is asked
STOP_PAUSE = dt.timedelta(seconds=60)
# Asked again long before a window opens: another policy may open it sooner.
LONGEST_PAUSE = dt.timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Why it may not start, and when to ask again."""

    code: str
    retry_at: dt.datetime


def of(
    proposal: AgenteAprovacao,
    *,
    at: dt.datetime | None = None,
    until: dt.datetime | None = None,
) -> Hindrance | None:
    """What holds this proposal's effect at this moment, by default the database's; None = nothing.

    Takes the lock that pressing a stop takes alone, so it belongs in the transaction that starts
    the effect. Past its last moment nothing is held any more: it is to be ended, not to wait.
    `until` is that moment where it is another than the proposal's own.
    """
    until = until or proposal.executar_ate
    now, stopped, version = _read(proposal)
    at = at or now
    if at > until:
        return None
    if stopped:
        return _until(until, STOPPED, at + STOP_PAUSE)
    if proposal.executar_de is not None and at < proposal.executar_de:
        return _until(until, SCHEDULED, proposal.executar_de)
    closure = _closure(proposal, version, at)
    if closure is None:
        return None
    again = at + LONGEST_PAUSE
    return _until(until, closure.code, min(again, closure.opens_at or again))


def _until(last: dt.datetime, code: str, moment: dt.datetime) -> Hindrance:
    """Never much past the last moment: then it ends, with a reason."""
    return Hindrance(code, min(moment, last + dt.timedelta(seconds=1)))


def _closure(
    proposal: AgenteAprovacao, version: Version | None, at: dt.datetime
) -> calendar.Closure | None:
    """By the policy in force. One that cannot be read holds nothing here: it blocks the effect."""
    try:
        document = rules.in_force(version).document
    except (NoPolicyError, UnreadablePolicyError):
        return None
    return calendar.closed(document.calendario, kind=proposal.acao, risk=proposal.risco, at=at)


def _read(proposal: AgenteAprovacao) -> tuple[dt.datetime, bool, Version | None]:
    with connection.cursor() as cursor:
        cursor.execute(
            sql.named(_SQL),
            {
                "tenant_id": current_tenant_id(),
                "agent": proposal.agente or None,
                "connector": connector_of(proposal.proposta),
            },
        )
        cursor.nextset()
        now, stopped, number, sha256 = cursor.fetchone()
    return now, stopped, None if number is None else Version(number, sha256)


def connector_of(action: Any) -> str | None:
    """The system an action is about; None when it does not say."""
    if stored.is_external(action):
        return _NO_CONNECTOR
    target = action.get("target") if isinstance(action, dict) else None
    return target.get("system") if isinstance(target, dict) else None
