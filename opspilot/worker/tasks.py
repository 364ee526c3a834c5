"""What the worker does when woken: take the due rows of one kind, one by one, until none is left."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import structlog
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, Error, close_old_connections, connection
from procrastinate.contrib.django import app

from approvals.deciders import escalation
from approvals.execution import advancing, holding
from approvals.expiry import expire_due
from approvals.inbox import open_issues_lane
from approvals.proof import pack_lane
from approvals.tasks import preflight_lane
from audit.reports import saved_lane
from audit.seal import lane as seals
from audit.trace import building
from grounding.intake import ingest
from grounding.sync import lane as sync
from grounding.upkeep import lane as index_lane
from opspilot import request_id
from opspilot.accounts import outbox
from opspilot.api import idempotency
from opspilot.budgets import telling as spend
from opspilot.conectores import lane as connector_checks
from opspilot.harness import loop
from opspilot.harness.models import SCHEMA_VERSION
from opspilot.harness.running import forgetting
from opspilot.notices import delivery, report_runs, seconds, telling
from opspilot.queue import DRAIN, Kind, wake
from opspilot.resilience import pressure, shedding
from opspilot.resilience.shedding import Work
from opspilot.worker import watch

log = structlog.get_logger(__name__)
BATCH = 20
MOST_ROWS = 200

Due = tuple[UUID | None, int]
"""A row's tenant, none for what belongs to nobody's company, and its id."""

_DO: dict[Kind, Callable[[UUID, int], bool | None]] = {
    "upload": lambda tenant, row: ingest.advance(tenant_id=tenant, upload_id=row),
    "run": lambda tenant, row: loop.advance(tenant_id=tenant, run_id=row),
    "execution": lambda tenant, row: advancing.advance(tenant_id=tenant, execution_id=row),
    "issues": lambda tenant, row: open_issues_lane.refresh(tenant_id=tenant, list_id=row),
    "preflight": lambda tenant, row: preflight_lane.refresh(tenant_id=tenant, preflight_id=row),
    "expiry": lambda tenant, row: expire_due(tenant_id=tenant, approval_id=row),
    "escalation": lambda tenant, row: escalation.escalate_due(tenant_id=tenant, approval_id=row),
    "telling": lambda tenant, row: telling.spread_due(tenant_id=tenant, approval_id=row),
    "draft": lambda tenant, row: seconds.spread_draft(tenant_id=tenant, draft_id=row),
    "permission": lambda tenant, row: seconds.spread_permission(
        tenant_id=tenant, permission_id=row
    ),
    "checks": lambda tenant, row: connector_checks.refresh(tenant_id=tenant, check_id=row),
    "seals": lambda tenant, row: seals.advance(tenant_id=tenant, watch_id=row),
    "traces": lambda tenant, row: building.advance(tenant_id=tenant, trace_id=row),
    "reports": lambda tenant, row: saved_lane.advance(
        tenant_id=tenant, report_id=row, tell=report_runs.tell
    ),
    "packs": lambda tenant, row: pack_lane.advance(tenant_id=tenant, pack_id=row),
    "sources": lambda tenant, row: sync.advance(tenant_id=tenant, source_id=row),
    "index": lambda tenant, row: index_lane.advance(tenant_id=tenant, index_id=row),
    "notice": lambda tenant, row: delivery.advance(tenant_id=tenant, notice_id=row),
}
KINDS: tuple[Kind, ...] = (*_DO, "mail")
# What is read and written of many rows at once.
_TOGETHER: dict[Kind, Callable[[UUID, list[int]], None]] = {
    "telling": lambda tenant, rows: telling.spread_all(tenant_id=tenant, approval_ids=rows),
}
# How many rows are asked for at a time: of effects enough to find one that is in nobody's hands.
_STRIDES: dict[Kind, int] = {"execution": 4, "telling": 50}
# To find these every waiting proposal is read: with many of them, not every five seconds.
_SELDOM: frozenset[Kind] = frozenset({"escalation", "telling"})
# What nobody waits for: it stays due while there is more to do than is being done.
_BACKGROUND: frozenset[Kind] = frozenset({"index"})
_SELDOM_SECONDS = 15


@app.task(name=DRAIN)
def drain(kind: Kind) -> None:
    """Advance the due rows of the kind, each once. A row that fails is logged and left due by its
    lease; an execution without one rests a minute. After MOST_ROWS another drain goes on: a row that
    is due a second time waits for that. Those that could not be taken count for nothing, or each
    drain would begin with them and reach no further."""
    close_old_connections()
    try:
        if _rests(kind):
            return
        seen: set[Due] = set()
        done = 0
        while done < MOST_ROWS and (fresh := _fresh(kind, seen)):
            looked_at, taken = _worked(kind, fresh)
            seen.update(looked_at)
            done += taken
        if done >= MOST_ROWS:
            wake(kind)
    finally:
        close_old_connections()


def _worked(kind: Kind, fresh: list[Due]) -> tuple[list[Due], int]:
    """Advance them; those that were looked at come back, and how many were taken. Of effects that is
    the first which no other lane has in hand, and those before it: each may take seconds, and the
    order is a fair one between companies only at the moment of asking."""
    if kind in _TOGETHER:
        _advance_together(kind, fresh)
        return fresh, len(fresh)
    taken = 0
    for number, pair in enumerate(fresh, start=1):
        taken += _advance(kind, *pair)
        if taken and kind == "execution":
            return fresh[:number], taken
    return fresh, taken


def _fresh(kind: Kind, seen: set[Due]) -> list[Due]:
    """The next due rows that this drain has not had. Those that could not be taken stay due: it
    looks past them, or they would hide the others."""
    limit = _STRIDES.get(kind, BATCH)
    while True:
        found = due(kind, limit)
        fresh = [pair for pair in found if pair not in seen]
        if fresh or len(found) < limit:
            return fresh
        limit *= 2


@app.periodic(cron="* * * * * */5", periodic_id="sweep")
@app.task(name="opspilot.worker.tasks.sweep", queue="sweep", queueing_lock="sweep")
def sweep(timestamp: int) -> None:
    """Find what no wake announced: expired leases, passed deadlines, lost notifications."""
    close_old_connections()
    _measure()
    for kind in KINDS:
        if _is_time(kind, timestamp) and not _rests(kind) and due(kind, 1):
            wake(kind)
    watch.note_sweep()


def _measure() -> None:
    """Pressure that cannot be measured keeps nothing outside, and no lane waiting."""
    try:
        pressure.measure(known=SCHEMA_VERSION)
    except DatabaseError:
        log.warning("pressure could not be measured")


def _rests(kind: Kind) -> bool:
    """Where the pressure cannot be read, nothing does."""
    try:
        return kind in _BACKGROUND and shedding.rests(Work.BACKGROUND)
    except DatabaseError:
        log.warning("pressure could not be read", kind=kind)
        return False


def _is_time(kind: Kind, timestamp: int) -> bool:
    return kind not in _SELDOM or timestamp % _SELDOM_SECONDS == 0


@app.periodic(cron="40 3 * * *", periodic_id="sessions")
@app.task(name="opspilot.worker.tasks.forget_sessions", queue="sweep", queueing_lock="sessions")
def forget_sessions(timestamp: int) -> None:
    """Once a day, delete the sessions that ended: a page somebody never came back to keeps what they
    were typing there. So with the answers kept for agents that never asked again, and with the text
    of requests whose term is over."""
    close_old_connections()
    SessionStore.clear_expired()
    idempotency.forget_over()
    forgetting.forget_over()


@app.periodic(cron="20 * * * *", periodic_id="spend")
@app.task(name="opspilot.worker.tasks.tell_spend", queue="sweep", queueing_lock="spend")
def tell_spend(timestamp: int) -> None:
    """Once an hour, what models cost for runs that ended without telling it gets rows of its own."""
    close_old_connections()
    spend.sweep()


def wake_if_due(kind: Kind) -> None:
    """As the sweep does, for one kind and from a thread of its own. A database that is away is the
    lanes' affair: the next look is a second later."""
    close_old_connections()
    try:
        if due(kind, 1):
            wake(kind)
    except DatabaseError:
        log.warning("could not look for due work", kind=kind)
    finally:
        close_old_connections()


def due(kind: Kind, limit: int = BATCH) -> list[Due]:
    """The rows of one kind that are due now, oldest first. Letters are in no tenant."""
    if kind == "mail":
        return [(None, mail_id) for mail_id in outbox.due(limit)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, id FROM due_work(%s, %s)", [kind, limit])
        return [(row[0], row[1]) for row in cursor.fetchall()]


def _advance(kind: Kind, tenant_id: UUID | None, row_id: int) -> bool:
    """False: it was not there to be taken, most often because another lane has it in hand."""
    try:
        with request_id.job(f"{kind}-{row_id}"):
            if tenant_id is None:
                outbox.advance(mail_id=row_id)
                return True
            return _DO[kind](tenant_id, row_id) is not False
    except Exception:  # a lane outlives any row: this one stays due, and the sweep comes again
        log.exception("work failed", kind=kind, row=row_id)
        if kind == "execution" and tenant_id is not None:
            _put_off(tenant_id, row_id)
        return True


def _advance_together(kind: Kind, pairs: list[Due]) -> None:
    """Each company's rows at once; where that fails, one by one: a row that cannot be advanced
    must not hold the others."""
    companies: dict[UUID, list[int]] = {}
    for tenant_id, row_id in pairs:
        if tenant_id is not None:
            companies.setdefault(tenant_id, []).append(row_id)
    for tenant_id, rows in companies.items():
        try:
            with request_id.job(f"{kind}-{rows[0]}"):
                _TOGETHER[kind](tenant_id, rows)
        except Exception:  # of any of them: each is tried alone, and stays due if it fails
            log.exception("work failed together", kind=kind, rows=len(rows))
            for row_id in rows:
                _advance(kind, tenant_id, row_id)


def _put_off(tenant_id: UUID, execution_id: int) -> None:
    """Or the next turn is this row's again, for ever: a company that was not served comes first."""
    try:
        holding.put_off(tenant_id=tenant_id, execution_id=execution_id)
    except Error:
        log.warning("could not put off a failed row", row=execution_id)
