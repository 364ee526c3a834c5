"""A simulation as its page draws it: counts, and every proposal that would come out otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from approvals.inbox import wording
from approvals.inbox.outcome_words import outcome_words
from approvals.policy.simulation import Changed, Effect, Simulation
from opspilot.presentation.shapes import Chip, State

SHOWN = 50  # rows on one page of the list; the counts and the pages have all of them
PENDING, BLOCKED = "pendentes", "bloqueadas"
_EFFECTS: dict[Effect, tuple[State, str | Promise]] = {
    "recusada": ("failed", gettext_lazy("seriam recusadas")),
    "mais_aprovacoes": ("attention", gettext_lazy("pediriam mais aprovações")),
    "menos_aprovacoes": ("attention", gettext_lazy("pediriam menos aprovações")),
    "outro_papel": ("attention", gettext_lazy("iriam a outro papel")),
    "outro_risco": ("pending", gettext_lazy("mudariam só de risco")),
    "outro_destino": ("attention", gettext_lazy("iriam a outro destino")),
}


@dataclass(frozen=True, slots=True)
class EffectLine:
    state: State
    words: str
    count: int
    url: str


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A proposal that would come out otherwise."""

    changed: Changed
    title: str
    before: str
    after: str
    state: State


@dataclass(frozen=True, slots=True)
class Report:
    """A simulation in words. `pending` is how many waiting ones would be marked, `blocked` how
    many approved ones would be refused now; `left_out` is 0 when all of the days were replayed."""

    title: str
    effects: list[EffectLine]
    pending: int
    blocked: int
    seen: int
    left_out: int
    oldest: datetime | None
    chips: list[Chip]
    lines: list[ChangedLine]
    text: str
    previous_url: str
    next_url: str


def report(found: Simulation, *, only: str = "", page: int = 1) -> Report:
    """`only` narrows the list to one effect, to what waits or to what was approved."""
    only = only if only in _PICKS else ""
    rows = [row for row in found.changed if not only or _PICKS[only](row)]
    first = min(max(page - 1, 0), max(len(rows) - 1, 0) // SHOWN) * SHOWN
    return Report(
        title=_title(found),
        effects=_effects(found),
        pending=_count(found, PENDING),
        blocked=_count(found, BLOCKED),
        seen=found.seen,
        left_out=found.total - found.seen,
        oldest=found.oldest if found.capped else None,
        chips=_chips(found, only),
        lines=[_line(row) for row in rows[first : first + SHOWN]],
        text=_place(first, len(rows)),
        previous_url=_url(only, first // SHOWN) if first else "",
        next_url=_url(only, first // SHOWN + 2) if first + SHOWN < len(rows) else "",
    )


def _has_effect(effect: Effect) -> Callable[[Changed], bool]:
    return lambda row: row.effect == effect


_PICKS: dict[str, Callable[[Changed], bool]] = {
    **{effect: _has_effect(effect) for effect in _EFFECTS},
    PENDING: lambda row: row.pending,
    BLOCKED: lambda row: row.approved_then_blocked,
}


def _count(found: Simulation, pick: str) -> int:
    return sum(map(_PICKS[pick], found.changed))


def _effects(found: Simulation) -> list[EffectLine]:
    return [
        EffectLine(state, str(words), count, _url(effect))
        for effect, (state, words) in _EFFECTS.items()
        if (count := found.count(effect))
    ]


def _chips(found: Simulation, only: str) -> list[Chip]:
    """What the list can be narrowed to, with how many there are of each."""
    words: dict[str, str] = {
        PENDING: _("esperam decisão"),
        BLOCKED: _("aprovadas que seriam bloqueadas"),
    }
    words |= {str(effect): str(said) for effect, (_state, said) in _EFFECTS.items()}
    chips = [
        Chip(said, _url("" if pick == only else pick), on=pick == only, count=_count(found, pick))
        for pick, said in words.items()
    ]
    return [chip for chip in chips if chip.count or chip.on]


def _url(only: str, page: int = 1) -> str:
    asked = {"so": only, "pagina": page if page > 1 else ""}
    return f"?{urlencode({name: value for name, value in asked.items() if value})}#quais"


def _place(first: int, total: int) -> str:
    if total <= SHOWN:
        return ""
    last = min(first + SHOWN, total)
    words = _("%(first)s a %(last)s de %(total)s")
    return words % {"first": first + 1, "last": last, "total": total}


def _title(found: Simulation) -> str:
    words = ngettext(
        "%(changed)s de %(seen)s proposta mudaria",
        "%(changed)s de %(seen)s propostas mudariam",
        found.seen,
    )
    return words % {"changed": len(found.changed), "seen": found.seen}


def _line(row: Changed) -> ChangedLine:
    state: State = "failed" if row.after is None else "attention"
    after = outcome_words(row.after) if row.after else _("recusada: %(code)s") % {"code": row.code}
    before = outcome_words(row.before) if row.before else _("conteúdo que não pode ser lido")
    title = row.proposal.proposta.get("title") or wording.sentence(row.proposal)
    return ChangedLine(row, str(title), before, after, state)
