"""The calendar of a policy in words: what it says, what changes in it, and when it opens next."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from approvals.policy.policy_changes import Change, of_value
from approvals.stops.calendar import (
    DAYS,
    FROZEN,
    Calendar,
    ChangeWindow,
    Closure,
    Freeze,
    closed,
)
from approvals.stops.calendar_lines import shown
from audit.vocabulary import ACTIONS
from opspilot.presentation import risks
from opspilot.presentation.formats import day_of_year_text
from opspilot.presentation.shapes import Fact

_DAY_WORDS: dict[str, str | Promise] = {
    "seg": gettext_lazy("seg"),
    "ter": gettext_lazy("ter"),
    "qua": gettext_lazy("qua"),
    "qui": gettext_lazy("qui"),
    "sex": gettext_lazy("sex"),
    "sab": gettext_lazy("sáb"),
    "dom": gettext_lazy("dom"),
}


def facts(calendar: Calendar | None) -> list[Fact]:
    """Each window and each freeze; one fact where there is none."""
    if calendar is None or not (calendar.janelas or calendar.congelamentos):
        return [Fact(_("Janelas"), at_any_time())]
    return [
        Fact(_("Fuso da empresa"), calendar.fuso),
        *(Fact(_("Janela"), window(row)) for row in calendar.janelas),
        *(Fact(_("Congelamento"), freeze(row)) for row in calendar.congelamentos),
    ]


def window(row: ChangeWindow) -> str:
    """ "seg, ter 08:00–18:00 · só Tarefa executada · só risco alto"."""
    days = ", ".join(str(_DAY_WORDS[day]) for day in DAYS if day in row.dias)
    return " · ".join([f"{days} {row.das}–{row.ate}", *_about(row)])


def freeze(row: Freeze) -> str:
    span = _("de %(start)s a %(end)s") % {"start": shown(row.inicio), "end": shown(row.fim)}
    return " · ".join([f"{span}: {row.motivo}", *_about(row)])


def _about(row: ChangeWindow | Freeze) -> Iterator[str]:
    if row.tipos:
        yield _("só %(kinds)s") % {"kinds": ", ".join(str(ACTIONS[k].words) for k in row.tipos)}
    if row.riscos:
        levels = ", ".join(str(risks.word(risk)) for risk in row.riscos)
        yield _("só risco %(risks)s") % {"risks": levels}


def changes(before: Calendar | None, after: Calendar | None) -> Iterator[Change]:
    """What differs. In doubt it is said to loosen: taking away one of several windows closes, but
    taking away the last one about a kind opens it for good. Only a first window surely narrows."""
    old_zone, new_zone = (row.fuso if row else "" for row in (before, after))
    if before and after:
        yield from of_value(_("Fuso da empresa"), old_zone, new_zone)
    had = bool(before and before.janelas)
    yield from _listed(
        _("Janela"),
        [window(row) for row in (before.janelas if before else ())],
        [window(row) for row in (after.janelas if after else ())],
        adding=had,
    )
    yield from _listed(
        _("Congelamento"),
        [freeze(row) for row in (before.congelamentos if before else ())],
        [freeze(row) for row in (after.congelamentos if after else ())],
        adding=False,
    )


def _listed(what: str, old: Iterable[str], new: Iterable[str], *, adding: bool) -> Iterator[Change]:
    before, after = set(old), set(new)
    for item in sorted(after - before):
        yield Change("added", what, "", item, loosens=adding)
    for item in sorted(before - after):
        yield Change("removed", what, item, "", loosens=True)


def at_any_time() -> str:
    return _("a qualquer hora")


def state(calendar: Calendar | None, *, kind: str, risk: str, at: dt.datetime) -> str:
    """Whether it could start at this moment: "a qualquer hora", "janela aberta agora", or why not
    and when it opens."""
    found = closed(calendar, kind=kind, risk=risk, at=at)
    if found is not None and calendar is not None:
        return closure(found, calendar)
    windowed = calendar is not None and any(r.is_about(kind, risk) for r in calendar.janelas)
    return _("janela aberta agora") if windowed else at_any_time()


def closure(found: Closure, calendar: Calendar) -> str:
    """ "fora da janela: abre seg 08:00 (America/Sao_Paulo)"."""
    why = _("fora da janela")
    if found.code == FROZEN:
        why = _("congelamento (%(reason)s)") % {"reason": found.reason}
    if found.opens_at is None:
        return _("%(why)s: nenhuma abertura próxima") % {"why": why}
    return _("%(why)s: abre %(when)s") % {"why": why, "when": opening(found.opens_at, calendar)}


def opening(moment: dt.datetime, calendar: Calendar) -> str:
    """By the company's clock: "seg 07/12 08:00 (America/Sao_Paulo)"."""
    local = moment.astimezone(calendar.zone)
    day = _DAY_WORDS[DAYS[local.weekday()]]
    date = day_of_year_text(local, language=get_language() or "pt-br")
    return f"{day} {date} {local:%H:%M} ({calendar.fuso})"
