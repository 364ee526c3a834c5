"""Saved reports as their pages draw them: when they run, what they answered, what changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Max
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from audit.models import ReportState, SavedReport, SavedReportRun, Schedule
from audit.reports import answers, cells, parameters, saved, screen
from audit.reports.answers import Line
from audit.reports.catalogue import NAMED
from audit.reports.columns import BY_TIME
from audit.reports.shapes import Coverage, NamedQuery
from opspilot.errors import InvalidInputError
from opspilot.presentation import formats
from opspilot.presentation.shapes import Fact, State
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal, Role

RUNS = 20
LISTED = 50  # of what entered, and of what left
_STATES: dict[str, State] = {
    ReportState.ACTIVE: "done",
    ReportState.PAUSED: "pending",
    ReportState.RESTING: "attention",
}
_CODES: dict[str, Promise] = {
    "consulta_lenta": gettext_lazy("não respondeu: a consulta passou de 20 segundos"),
    "linhas_demais": gettext_lazy("não respondeu: são mais de 100 mil linhas"),
    "parametros_invalidos": gettext_lazy("não respondeu: a consulta não aceita mais estes campos"),
    "campo_desconhecido": gettext_lazy("não respondeu: a consulta não tem mais um destes campos"),
    "interrompido": gettext_lazy("não respondeu: foi interrompido cinco vezes, e está pausado"),
}


@dataclass(frozen=True, slots=True)
class ReportLine:
    name: str
    url: str
    question: str
    owner: str
    when: str
    state: State
    word: str
    last_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class RunLine:
    at: dt.datetime
    rows: int
    sha256: str
    state: State
    word: str
    covered: str


def listing(principal: Principal) -> list[ReportLine]:
    reports = saved.shown_to(principal)
    last = _last_runs(reports)
    return [_report_line(report, last.get(report.pk)) for report in reports]


def detail(principal: Principal, report: SavedReport) -> dict[str, Any]:
    query = NAMED[report.slug]
    runs = list(
        SavedReportRun.objects.filter(report=report).select_related("before").order_by("-pk")[:RUNS]
    )
    mine = report.owner == principal.subject
    return {
        "report": report,
        "query": query,
        "facts": _facts(report, query),
        "runs": [_run_line(run) for run in runs],
        "newest": next((run.sha256 for run in runs if not run.code), ""),
        "changes": _changes(query, runs),
        "query_url": f"{reverse('audit:query', args=[query.slug])}?{urlencode(report.address)}",
        "mine": mine,
        "changes_it": saved.may_change(principal, report),
        "active": report.state == ReportState.ACTIVE,
        "resting": report.state == ReportState.RESTING,
    }


def answer_words(run: SavedReportRun) -> tuple[State, str]:
    """What an answer says of the one before it."""
    if run.code:
        return "attention", str(_CODES.get(run.code, _("não respondeu")))
    if run.before is None:
        return "done", _("primeira resposta")
    day = {"day": _since(run.before.at, now=run.at)}
    if run.is_same:
        return "done", _("igual a %(day)s") % day
    changed = _("mudou desde %(day)s") % day
    if run.entered is None or run.left is None:
        return "pending", f"{changed}: {_uncounted(run, run.before)}"
    return "pending", f"{changed}: {_moved(run.entered, run.left)}"


def _since(before: dt.datetime, *, now: dt.datetime) -> str:
    """The day; of the same day, the hour."""
    at, today = cells.local(before), cells.local(now)
    if at.date() == today.date():
        return formats.short_text(at, now=today, language=_language())
    return formats.day_of_year_text(at, language=_language())


def _moved(entered: int, left: int) -> str:
    """Nothing of either: the rows stand in another order."""
    into = ngettext("%(n)s entrou", "%(n)s entraram", entered) % {"n": _number(entered)}
    out = ngettext("%(n)s saiu", "%(n)s saíram", left) % {"n": _number(left)}
    return f"{into}, {out}"


def _uncounted(run: SavedReportRun, before: SavedReportRun) -> str:
    if run.version != before.version:
        return _("a consulta tem outra versão")
    rows = {"now": _number(run.rows), "before": _number(before.rows)}
    return _("antes %(before)s linhas, agora %(now)s") % rows


def _last_runs(reports: Sequence[SavedReport]) -> dict[int, SavedReportRun]:
    newest = SavedReportRun.objects.filter(report__in=reports).values("report")
    numbers = newest.annotate(newest=Max("pk")).values_list("newest", flat=True)
    runs = SavedReportRun.objects.filter(pk__in=list(numbers)).select_related("before")
    return {run.report_id: run for run in runs.defer("lines", "before__lines")}


def _report_line(report: SavedReport, run: SavedReportRun | None) -> ReportLine:
    state, word = answer_words(run) if run else ("pending", _("ainda sem resposta"))
    if report.state != ReportState.ACTIVE:
        state, word = _STATES[report.state], str(ReportState(report.state).label)
    return ReportLine(
        name=report.name,
        url=reverse("audit:saved_report", args=[report.ref]),
        question=str(NAMED[report.slug].question),
        owner=report.owner_name,
        when=_when(report),
        state=state,
        word=word,
        last_at=run.at if run else None,
    )


def _when(report: SavedReport) -> str:
    label = str(Schedule(report.schedule).label)
    return f"{label}, {report.hour:02}:00" if report.schedule else label


def _facts(report: SavedReport, query: NamedQuery) -> list[Fact]:
    roles = ", ".join(str(Role(role).label) for role in report.shared_with)
    facts = [
        Fact(_("Consulta"), f"{query.slug}, {_('versão %(n)s') % {'n': query.version}}"),
        Fact(_("Quando roda"), _when(report), note=screen.zone() if report.schedule else ""),
        Fact(_("Salvo por"), report.owner_name),
        Fact(_("Mostrado também a"), roles or _("ninguém")),
        Fact(_("Estado"), str(ReportState(report.state).label), state=_STATES[report.state]),
    ]
    facts += [Fact(label, words) for label, words in _asked(report, query)]
    if report.next_at is not None:
        facts.append(Fact(_("Próxima vez"), at=report.next_at))
    return facts


def _asked(report: SavedReport, query: NamedQuery) -> Sequence[tuple[str, str]]:
    """The fields in words; the query of a later version may not read them any more."""
    try:
        return parameters.bind(query, report.address, now=clock.now()).words
    except InvalidInputError:
        return [(_("Campos"), urlencode(report.address))]


def _run_line(run: SavedReportRun) -> RunLine:
    state, word = answer_words(run)
    return RunLine(run.at, run.rows, run.sha256[:12], state, word, _covered(run))


def _covered(run: SavedReportRun) -> str:
    if run.until is None:
        return ""
    found = Coverage(
        since=run.since,
        until=run.until,
        rows=run.rows,
        complete=True,
        begins_later=run.begins_later,
        to_now=False,
    )
    return screen.covered(found)


def _changes(query: NamedQuery, runs: Sequence[SavedReportRun]) -> list[tuple[str, list[str], int]]:
    """Of the newest answer: (heading, the first LISTED rows by what tells them apart, the rest)."""
    run = next((run for run in runs if not run.code), None)
    if run is None or run.before is None:
        return []
    change = answers.change(run.before, run)
    if change is None:
        return []
    parts = [(_("Entraram"), change.entered), (_("Saíram"), change.left)]
    return [
        (head, [_key(query, line) for line in lines[:LISTED]], max(0, len(lines) - LISTED))
        for head, lines in parts
        if lines
    ]


def _key(query: NamedQuery, line: Line) -> str:
    values = line[1]
    if query.key != BY_TIME:
        return " · ".join(values)
    at = formats.moment_text(dt.datetime.fromisoformat(values[0]), language=_language())
    return f"{at} · {_('linha %(number)s') % {'number': values[1]}}"


def _number(value: int) -> str:
    return formats.number_text(value, language=_language())


def _language() -> str:
    return get_language() or "pt-br"
