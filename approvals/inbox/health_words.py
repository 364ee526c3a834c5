"""The health of the queue as the shapes its page draws, each figure beside the period before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from approvals.inbox import wording
from approvals.inbox.health import HASTE, PERIODS, Closed, Health, Refusal
from opspilot.errors import OpsPilotError
from opspilot.presentation.formats import number_text, wait_text
from opspilot.presentation.shapes import Point, Tab


@dataclass(frozen=True, slots=True)
class Figure:
    label: str
    value: str
    before: str
    note: str = ""
    url: str = ""


def periods(path: str, days: int) -> list[Tab]:
    return [
        Tab(
            _("%(days)s dias") % {"days": period},
            path if period == PERIODS[0] else f"{path}?dias={period}",
            current=period == days,
        )
        for period in PERIODS
    ]


def figures(found: Health, inbox: str) -> list[Figure]:
    now, before = found.closed
    pace, paced = found.pace
    handed, given = found.handed
    decided = f"{inbox}?fila=decididas"
    return [
        Figure(_("Decididas por pessoas"), _n(now.by_people), _n(before.by_people), url=decided),
        Figure(_("Mediana até decidir"), _span(now.median), _span(before.median)),
        Figure(
            _("Nove em dez em até"),
            _span(now.ninetieth),
            _span(before.ninetieth),
            _("desde a criação da proposta"),
        ),
        Figure(
            _("Em menos de 5 s da criação"),
            _share(now.at_once, now.by_people),
            _share(before.at_once, before.by_people),
            _("de quem decidiu, contado desde a criação: ninguém lê em %(n)s s") % {"n": HASTE},
        ),
        Figure(
            _("Em menos de 5 s da anterior"),
            _share(pace.in_a_row, pace.verdicts),
            _share(paced.in_a_row, paced.verdicts),
            _("votos da mesma pessoa, um atrás do outro"),
        ),
        Figure(
            _("Expiradas"),
            _share(now.expired, now.all),
            _share(before.expired, before.all),
            _("de tudo o que se encerrou"),
            decided,
        ),
        Figure(
            _("Repasse a uma pessoa"),
            _share(handed.over, handed.over + handed.effects),
            _share(given.over, given.over + given.effects),
            _("de repasses e efeitos concluídos"),
        ),
    ]


def waiting_by_age(found: Health) -> list[Point]:
    steps = (_("menos de 1 h"), _("de 1 h a 4 h"), _("de 4 h a 1 dia"), _("mais de 1 dia"))
    rows = list(found.waiting.values())
    return [Point(label, sum(row[step] for row in rows)) for step, label in enumerate(steps)]


def waiting_by_risk(found: Health) -> list[Point]:
    words = {"alto": _("alto"), "medio": _("médio"), "baixo": _("baixo")}
    return [Point(words[risk], sum(counts)) for risk, counts in found.waiting.items()]


def endings(closed: Closed) -> list[Point]:
    return [
        Point(_("aprovadas"), closed.approved, "done"),
        Point(_("recusadas"), closed.refused, "failed"),
        Point(_("devolvidas"), closed.sent_back, "attention"),
        Point(_("expiradas"), closed.expired),
        Point(_("canceladas por quem pediu"), closed.cancelled),
    ]


def refusals(found: Health) -> list[Point]:
    return [Point(_reason(refusal), refusal.count) for refusal in found.refusals]


def _reason(refusal: Refusal) -> str:
    if refusal.blocked:
        return _("Bloqueada antes do envio: %(why)s") % {"why": wording.reason(refusal.code)}
    error = next((e for e in _errors(OpsPilotError) if e.code == refusal.code), None)
    return str(error.what) if error else refusal.code


def _errors(parent: type[OpsPilotError]) -> Iterator[type[OpsPilotError]]:
    for child in parent.__subclasses__():
        yield child
        yield from _errors(child)


def _share(part: int, whole: int) -> str:
    if not whole:
        return "–"
    return f"{number_text(round(100 * part / whole, 1), language=_language())} %"


def _span(seconds: float | None) -> str:
    """Below ten minutes to the second: that is where haste shows."""
    if seconds is None:
        return "–"
    return wait_text(round(seconds), language=_language())


def _n(count: int) -> str:
    return number_text(count, language=_language())


def _language() -> str:
    return get_language() or "pt-br"
