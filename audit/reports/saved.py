"""Saved reports: kept, found, run, paused, resumed and deleted. Each act is a row of the trail."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from audit import trail
from audit.masking import mask
from audit.models import ReportState, SavedReport, Schedule
from audit.reports import parameters
from audit.reports.catalogue import NAMED
from audit.reports.saved_errors import (
    NoNameError,
    NotActiveError,
    NotStoppedError,
    NotYoursError,
    TooManyReportsError,
)
from audit.reports.schedule import next_run
from audit.reports.shapes import NamedQuery
from audit.vocabulary import Authorization, Result
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.queue import wake
from opspilot.tenancy import clock, lease
from opspilot.tenancy.principal import Principal, Role, signature

MOST = 50  # of one person
STOPPED = (ReportState.PAUSED, ReportState.RESTING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants kept: `address` as the query's page takes it, periods in words."""

    name: str
    address: Mapping[str, str]
    shared_with: Sequence[str] = ()
    schedule: str = Schedule.NONE
    hour: int = 8


def save(*, person: Principal, query: NamedQuery, wish: Wish) -> SavedReport:
    """Keep the question, not its answer. Raises as reading the fields does."""
    must_open(person, query)
    name, now = mask(wish.name.strip()), clock.now()
    if not name:
        raise NoNameError
    if _kept().filter(owner=person.subject).count() >= MOST:
        raise TooManyReportsError
    bound = parameters.bind(query, wish.address, now=now)
    report = SavedReport.objects.create(
        tenant_id=person.tenant_id,
        name=name,
        slug=query.slug,
        address=dict(bound.address),
        shared_with=sorted({role for role in wish.shared_with if Role(role) in query.roles}),
        owner=person.subject,
        owner_name=person.name,
        schedule=wish.schedule,
        hour=wish.hour,
        next_at=_next(wish.schedule, wish.hour, now),
    )
    _record(report, person.signature, "relatorio.salvo", _said(report))
    return report


def shown_to(person: Principal) -> list[SavedReport]:
    """One's own, what is shared with a role one has, and for an admin all; by name."""
    rows = _kept().order_by("name", "pk")
    return [report for report in rows if _sees(person, report)]


def one(*, person: Principal, ref: UUID) -> SavedReport:
    report = _kept().filter(ref=ref).first()
    if report is None or not _sees(person, report):
        raise NotFoundError(back_url=reverse("audit:saved_reports"))
    return report


def may_change(person: Principal, report: SavedReport) -> bool:
    """Its owner, and an admin: of somebody who left nobody else could stop it."""
    return report.owner == person.subject or person.has(Role.ADMIN)


def run_now(*, person: Principal, ref: UUID) -> SavedReport:
    """The worker answers it at once, in the owner's name: so only the owner asks."""
    report = one(person=person, ref=ref)
    if report.owner != person.subject:
        raise NotYoursError
    must_open(person, NAMED[report.slug])
    if not _change(report, states=[ReportState.ACTIVE], next_at=clock.now(), attempts=0):
        raise NotActiveError
    _record(report, person.signature, "relatorio.pedido", report.name)
    wake("reports")
    return report


def pause(*, person: Principal, ref: UUID) -> SavedReport:
    """Also what is being answered: that answer is not kept."""
    report = _to_change(person, ref)
    stopped: dict[str, Any] = {"state": ReportState.PAUSED, "next_at": None, **lease.RELEASED}
    if not _change(report, states=[ReportState.ACTIVE], **stopped):
        raise NotActiveError
    _record(report, person.signature, "relatorio.pausado", report.name)
    return report


def resume(*, person: Principal, ref: UUID) -> SavedReport:
    report = _to_change(person, ref)
    at = _next(report.schedule, report.hour, clock.now())
    active: dict[str, Any] = {"state": ReportState.ACTIVE, "next_at": at, "attempts": 0}
    if not _change(report, states=STOPPED, **active):
        raise NotStoppedError
    _record(report, person.signature, "relatorio.retomado", report.name)
    return report


def delete(*, person: Principal, ref: UUID) -> SavedReport:
    """It runs no more and is shown no more; what it answered stays in the trail."""
    report = _to_change(person, ref)
    gone: dict[str, Any] = {"state": ReportState.DELETED, "next_at": None, **lease.RELEASED}
    _change(report, states=[ReportState.ACTIVE, *STOPPED], **gone)
    _record(report, person.signature, "relatorio.excluido", report.name)
    return report


def rest(report: SavedReport) -> None:
    """The trail's row of a report whose owner has no role for it any more."""
    who = signature(report.owner_name, report.owner)
    _record(report, who, "relatorio.pausado", f"{report.name}: sem papel para a consulta")


def after_run(report: SavedReport, *, now: dt.datetime) -> dt.datetime | None:
    return _next(report.schedule, report.hour, now)


def _kept() -> QuerySet[SavedReport, SavedReport]:
    return SavedReport.objects.exclude(state=ReportState.DELETED)


def _sees(person: Principal, report: SavedReport) -> bool:
    query = NAMED.get(report.slug)
    opens = query is not None and person.has(*query.roles)
    shared = any(person.has(Role(role)) for role in report.shared_with)
    return opens and (shared or may_change(person, report))


def _to_change(person: Principal, ref: UUID) -> SavedReport:
    report = one(person=person, ref=ref)
    if not may_change(person, report):
        raise NotYoursError
    return report


def must_open(person: Principal, query: NamedQuery) -> None:
    if not person.has(*query.roles):
        raise RoleRequiredError(roles=sorted(query.roles), back_url=reverse("audit:queries"))


def _change(report: SavedReport, *, states: Sequence[str], **values: Any) -> bool:
    found = SavedReport.objects.filter(pk=report.pk, state__in=states)
    return bool(found.update(**values))


def _next(schedule: str, hour: int, now: dt.datetime) -> dt.datetime | None:
    return next_run(schedule, hour=hour, after=now, zone=timezone.get_default_timezone())


def _said(report: SavedReport) -> str:
    when = f"{report.schedule} às {report.hour}h" if report.schedule else "sem agenda"
    roles = ", ".join(report.shared_with) or "ninguém"
    return f"{report.name}: consulta {report.slug}, {when}, com {roles}"


def _record(report: SavedReport, by: str, action: str, said: str) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=report.ref,
            acao=action,
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=by,
            saida_resumo=said,
        )
    )
