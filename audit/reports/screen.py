"""A result as a page: words for codes, links for ids, sums where the result is whole."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from audit import reasons, wording
from audit.reports import cells
from audit.reports.parameters import Bound
from audit.reports.shapes import Column, Coverage, NamedQuery, Page, Row
from opspilot.presentation import formats
from opspilot.presentation.shapes import State

_RIGHT = {"number", "integer", "money", "percent", "seconds"}
_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    label: str
    url: str = ""
    state: State | str = ""
    right: bool = False
    head: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    label: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class Table:
    heads: Sequence[Head]
    rows: Sequence[Sequence[Cell]]
    totals: Sequence[Cell]


def table(query: NamedQuery, page: Page) -> Table:
    shown = [column for column in query.columns if column.screen]
    named = [dict(zip(query.names, row, strict=True)) for row in page.rows]
    return Table(
        heads=[Head(str(column.label), _is_right(column)) for column in shown],
        rows=[_row(shown, values) for values in named],
        totals=_totals(query, shown, page.rows) if page.coverage.complete and named else [],
    )


def _is_right(column: Column) -> bool:
    return column.kind in _RIGHT


def covered(coverage: Coverage) -> str:
    """The line every answer carries: from when to when, whose clock, how many rows, all or not."""
    parts = [_span(coverage), _rows(coverage.rows), _whole(coverage)]
    return f"{', '.join(parts)}. {zone()}."


def zone() -> str:
    name = timezone.get_default_timezone_name()
    at = cells.local(timezone.now())
    return formats.zone_text(at, name, language=_language())


def _span(coverage: Coverage) -> str:
    since = _since(coverage)
    if coverage.to_now:
        return _("%(since)s até agora") % {"since": since}
    return _("%(since)s até %(until)s") % {"since": since, "until": _moment(coverage.until)}


def _since(coverage: Coverage) -> str:
    if coverage.since is None:
        return _("Desde o início")
    if not coverage.begins_later:
        return _("De %(moment)s") % {"moment": _moment(coverage.since)}
    # Months of the trail are of UTC: here a bound would be an hour of the day before.
    month = f"{coverage.since.astimezone(dt.UTC):%m/%Y}"
    return _("Desde %(month)s (%(before)s)") % {"month": month, "before": _before(coverage)}


def _before(coverage: Coverage) -> str:
    if coverage.expired is None:
        return _("antes disso a trilha não começou")
    month = f"{coverage.expired:%m/%Y}"
    return _("antes expirou, até %(month)s") % {"month": month}


def _rows(count: int) -> str:
    words = ngettext("%(rows)s linha", "%(rows)s linhas", count)
    return words % {"rows": formats.number_text(count, language=_language())}


def _whole(coverage: Coverage) -> str:
    if coverage.complete:
        return _("completo")
    return _("há mais") if coverage.more else _("última página")


def _row(shown: Sequence[Column], values: Mapping[str, Any]) -> list[Cell]:
    return [_cell(column, values, head=place == 0) for place, column in enumerate(shown)]


def _cell(column: Column, values: Mapping[str, Any], *, head: bool = False) -> Cell:
    value = values[column.name]
    name, result = str(values.get("acao") or ""), column.kind == "result"
    return Cell(
        text=_words(column, value, values),
        label=str(column.label),
        url=_url(column, value, values),
        state=wording.state(name, value, _said(values)) if result else "",
        right=_is_right(column),
        head=head,
    )


def _words(column: Column, value: Any, values: Mapping[str, Any]) -> str:
    if value is None:
        return _("não informado") if column.kind == "money" else _NOTHING
    match column.kind:
        case "money":
            floor = bool(column.floor and values.get(column.floor))
            return _money(value, at_least=floor)
        case "integer" | "percent":
            return formats.number_text(value, language=_language())
        case "seconds":
            return formats.wait_text(int(value), language=_language())
        case "moment":
            return _moment(value)
        case "day":
            return formats.date_text(_at_noon(value), language=_language())
    return _code_words(column, value, values)


def _code_words(column: Column, value: Any, values: Mapping[str, Any]) -> str:
    match column.kind:
        case "action":
            return wording.action(value, str(values.get("resultado") or ""), _said(values))
        case "result":
            return wording.result(str(values.get("acao") or ""), value, _said(values))
        case "authorization":
            who, agent = values.get("entrada_resumo"), values.get("agente")
            result = str(values.get("resultado") or "")
            return wording.authorized(value, agent=agent, who=who, result=result)
        case "reason":
            said = reasons.words(value) or reasons.refusal(value)
            return said or wording.reason(formats.without_ids(value)) or _NOTHING
        case "person":
            return _NOTHING if value.startswith("sha256") else formats.without_ids(value)
        case "run" | "entity":
            return str(value)[:8]
    return formats.without_ids(cells.text(value)) or _NOTHING


def _said(values: Mapping[str, Any]) -> str | None:
    said = values.get("saida_resumo")
    return said if isinstance(said, str) else None


def _url(column: Column, value: Any, values: Mapping[str, Any]) -> str:
    if value is None:
        return ""
    if column.kind == "run":
        return reverse("audit:correlation", args=[value])
    if column.kind == "entity" and cells.is_uuid(value):
        return reverse("audit:entity", args=[values["entidade_tipo"], value])
    return ""


def _totals(query: NamedQuery, shown: Sequence[Column], rows: Sequence[Row]) -> list[Cell]:
    """Below a whole table, where any column can be summed; an unknown part makes it a floor."""
    if not any(column.total for column in shown):
        return []
    sums = {
        column.name: _sum(query, column, rows) if column.total else None for column in query.columns
    }
    cells_ = [
        _cell(column, sums) if column.total else Cell("", str(column.label)) for column in shown
    ]
    return [Cell(_("Total"), "", head=True), *cells_[1:]]


def _sum(query: NamedQuery, column: Column, rows: Sequence[Row]) -> Decimal | int | None:
    place = query.names.index(column.name)
    known = [row[place] for row in rows if row[place] is not None]
    return sum(known) if known else None


def _money(centavos: Decimal | int, *, at_least: bool) -> str:
    words = formats.money_text(centavos, language=_language())
    return _("pelo menos %(amount)s") % {"amount": words} if at_least else words


def _moment(value: dt.datetime) -> str:
    return formats.moment_text(cells.local(value), language=_language())


def _at_noon(day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(12), tzinfo=timezone.get_default_timezone())


def nothing_found(bound: Bound, coverage: Coverage) -> str:
    """What was asked and what the trail knows, so that emptiness is an answer."""
    asked = ", ".join(f"{label.lower()} {words}" for label, words in bound.words)
    about = (
        _("Nenhum registro com %(asked)s.") % {"asked": asked} if asked else _("Nenhum registro.")
    )
    return f"{about} {_span(coverage)}."


def _language() -> str:
    return get_language() or "pt-br"
