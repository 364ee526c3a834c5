"""Retention, holds and what went, as their page draws them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from audit.models import Entity, LegalHold, TrailRetention, TrailRetentionEnd
from audit.months import catalogue, holds, ledger, retention
from audit.months.calendar import moved, start_of
from opspilot.presentation.formats import date_text
from opspilot.presentation.shapes import Fact, State


@dataclass(frozen=True, slots=True)
class HoldLine:
    title: str
    reason: str
    who: str
    since: dt.datetime
    state: State
    word: str
    end: str
    until: dt.datetime | None


@dataclass(frozen=True, slots=True)
class GoneLine:
    month: str
    rows: int
    basis: str
    at: dt.datetime
    archive_sha256: str


@dataclass(frozen=True, slots=True)
class Page:
    facts: list[Fact]
    rule: TrailRetention | None
    waiting: TrailRetention | None
    ended: TrailRetentionEnd | None
    holds: list[HoldLine]
    gone: list[GoneLine]


def build() -> Page:
    now, held = retention.in_force(), holds.history()
    titles = _titles(held)
    return Page(
        facts=_facts(now),
        rule=now.rule if now else None,
        waiting=retention.waiting(),
        ended=retention.ended(),
        holds=[_hold(one, titles) for one in held],
        gone=[
            GoneLine(
                f"{line.month:%m/%Y}", line.rows, line.basis, line.recorded_at, line.archive_sha256
            )
            for line in reversed(ledger.gone())
        ],
    )


def choices() -> list[tuple[str, str]]:
    """The holds that can be lifted, for a form."""
    found = [one for one in holds.history() if one.lift is None]
    titles = _titles(found)
    return [(str(one.hold.ref), _title(one.hold, titles)) for one in found]


def months_words(count: int) -> str:
    return ngettext("%(count)s mês", "%(count)s meses", count) % {"count": count}


def _facts(now: retention.InForce | None) -> list[Fact]:
    months = catalogue.months_of()
    oldest = f"{months[0]:%m/%Y}" if months else "–"
    if now is None:
        never = Fact(_("Regra em vigor"), _("nenhuma"), _("nada desta empresa expira"))
        return [never, Fact(_("Trilha desde"), oldest)]
    by = _("escrita por %(author)s, ativada por %(admin)s") % {
        "author": now.rule.author_name,
        "admin": now.activation.admin_name,
    }
    facts = [
        Fact(
            _("Regra em vigor"), months_words(now.rule.months), by, at=now.activation.activated_at
        ),
        Fact(_("Base"), now.rule.basis),
        Fact(_("Trilha desde"), oldest),
    ]
    if months:
        facts.append(_leaving(months[0], now.rule.months))
    return facts


def _leaving(month: dt.date, rule: int) -> Fact:
    label = _("Por esta regra o mês mais antigo pode ir em")
    if holds.keeps(month=month):
        return Fact(label, _("não sai: guarda legal em vigor"))
    day = date_text(start_of(moved(month, rule + 1)), language=get_language() or "pt-br")
    return Fact(label, day, _("outras empresas e guardas legais podem mantê-lo por mais tempo"))


def _hold(one: holds.Held, titles: dict[str, str]) -> HoldLine:
    hold, lift = one.hold, one.lift
    return HoldLine(
        title=_title(hold, titles),
        reason=hold.reason,
        who=hold.author_name,
        since=hold.since,
        state="done" if lift else "running",
        word=_("encerrada") if lift else _("em vigor"),
        end=f"{lift.author_name}: {lift.reason}" if lift else "",
        until=lift.lifted_at if lift else None,
    )


def _titles(found: list[holds.Held]) -> dict[str, str]:
    """What the registry calls those that are held now: an identity may have been erased since."""
    refs = {one.hold.entity_ref for one in found if one.hold.entity_ref}
    entries = Entity.objects.filter(ref__in=refs)
    return {str(one.ref): one.title or _("identidade apagada") for one in entries}


def _title(hold: LegalHold, titles: dict[str, str]) -> str:
    if not hold.entity_ref:
        return _("Todos os registros da empresa")
    return titles.get(hold.entity_ref, hold.entity_title)
