"""The worker answers one saved report: claim → the owner's roles now → rows, hash, change → told.

The answer, its row of the trail and the notice are one transaction, and a holder whose claim is over
writes none of them.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from uuid import UUID

import structlog
from django.db.models import F
from django.db.models.functions import Now

from audit.models import ReportState, SavedReport, SavedReportRun
from audit.reports import answers, catalogue, coverage, formats, parameters, recording, saved
from audit.reports.shapes import NamedQuery
from opspilot.errors import RefusedError
from opspilot.tenancy import clock, lease
from opspilot.tenancy import selectors as people
from opspilot.tenancy.principal import signature
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 5  # claims in a row that came to no end
Tell = Callable[[SavedReportRun], None]


class LateError(RuntimeError):
    """The report was paused, deleted or taken over meanwhile; nothing is written."""


def advance(*, tenant_id: UUID, report_id: int, tell: Tell) -> None:
    """Answer it if it is due. Safe to call at any time, by anybody. `tell` hears of every answer,
    inside its transaction."""
    with tenant_scope(tenant_id):
        report = _claim(report_id)
    if report is None:
        return
    try:
        with tenant_scope(tenant_id):
            _work(report, tell)
    except LateError:
        log.warning("a saved report is not ours any more", report=report_id)


def _claim(report_id: int) -> SavedReport | None:
    due = SavedReport.objects.filter(
        lease.free(), pk=report_id, state=ReportState.ACTIVE, next_at__lte=Now()
    )
    report = lease.claim(due, attempts=F("attempts") + 1)
    if report is not None:
        report.attempts += 1
    return report


def _work(report: SavedReport, tell: Tell) -> None:
    query = catalogue.NAMED.get(report.slug)
    if query is None or not _may_read(report, query):
        _settle(report, state=ReportState.RESTING)
        saved.rest(report)
        return
    if report.attempts > MAX_ATTEMPTS:
        run, state = _failed(report, query, "interrompido"), ReportState.PAUSED
    else:
        run, state = _answered(report, query), ReportState.ACTIVE
    _settle(report, state=state)
    tell(run)


def _may_read(report: SavedReport, query: NamedQuery) -> bool:
    """By the roles the owner has at this moment, whatever they were when it was saved."""
    held = people.roles_by_subject().get(report.owner, frozenset())
    return not held.isdisjoint(query.roles)


def _answered(report: SavedReport, query: NamedQuery) -> SavedReportRun:
    try:
        return _answer(report, query)
    except RefusedError as exc:  # too slow, too many rows, or fields the query has no more
        return _failed(report, query, exc.code)


def _answer(report: SavedReport, query: NamedQuery) -> SavedReportRun:
    now = clock.now()
    bound = parameters.bind(query, report.address, now=now)
    formats.refuse_more_than(formats.CAP, query, bound)
    found = answers.answer(query, bound, run=report.ref)
    covered = coverage.of(bound, rows=found.rows, more=False, behind=False)
    run = SavedReportRun(
        tenant_id=report.tenant_id,
        report=report,
        at=now,  # of the clock that its period was read by
        version=query.version,
        rows=found.rows,
        sha256=found.sha256,
        lines=found.lines,
        since=covered.since,
        until=covered.until,
        begins_later=covered.begins_later,
    )
    _compare(run, _last(report))
    run.save(force_insert=True)
    by = signature(report.owner_name, report.owner)
    written = formats.Written(found.rows, found.sha256)
    recording.answered(by, query, bound, result=written, report=report.ref)
    return run


def _compare(run: SavedReportRun, before: SavedReportRun | None) -> None:
    if before is None:
        return
    run.before, run.is_same = before, before.sha256 == run.sha256
    change = answers.change(before, run)
    if change is not None:
        run.entered, run.left = len(change.entered), len(change.left)


def _last(report: SavedReport) -> SavedReportRun | None:
    return SavedReportRun.objects.filter(report=report, code="").order_by("-pk").first()


def _failed(report: SavedReport, query: NamedQuery, code: str) -> SavedReportRun:
    return SavedReportRun.objects.create(
        tenant_id=report.tenant_id, report=report, version=query.version, code=code
    )


def _settle(report: SavedReport, *, state: ReportState) -> None:
    at = saved.after_run(report, now=clock.now()) if state == ReportState.ACTIVE else None
    token: uuid.UUID | None = report.claim_token
    mine = SavedReport.objects.filter(pk=report.pk, claim_token=token, state=ReportState.ACTIVE)
    if not mine.update(state=state, next_at=at, attempts=0, **lease.RELEASED):
        raise LateError(report.pk)
