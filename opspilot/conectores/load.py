"""Whether there is more to do than is being done, in words: for the page and the dashboard."""

from __future__ import annotations

import datetime as dt

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from opspilot.presentation.formats import wait_text
from opspilot.presentation.shapes import Fact, State
from opspilot.resilience import pressure
from opspilot.resilience.models import Pressure

OUTSIDE: tuple[str | Promise, ...] = (
    gettext_lazy("nada espera do lado de fora"),
    gettext_lazy("o trabalho de fundo espera"),
    gettext_lazy("consultas de agentes também esperam"),
    gettext_lazy("perguntas novas também esperam"),
)


def facts(now: dt.datetime) -> list[Fact]:
    """Of all companies together, so no counts: how many questions others ask is theirs."""
    seen = pressure.last()
    state, word = _state(seen, now)
    return [
        Fact(_("Estado"), word, state=state, at=seen.since if seen.level else None),
        Fact(_("Pergunta que espera há mais tempo"), _oldest(seen)),
        Fact(_("Chamadas de modelo"), _("%(share)d %% das vagas") % {"share": _share(seen)}),
        Fact(_("Medido"), at=seen.measured_at),
    ]


def standing(now: dt.datetime) -> tuple[str, str] | None:
    """Title and text while something waits outside; else None."""
    seen = pressure.last()
    if not seen.level or pressure.is_old(seen, now):
        return None
    title = _("Há mais trabalho do que se faz: %(what)s") % {"what": OUTSIDE[seen.level]}
    return title, _("a pergunta mais antiga espera há %(span)s") % {"span": _oldest(seen)}


def _state(seen: Pressure, now: dt.datetime) -> tuple[State, str]:
    if pressure.is_old(seen, now):
        return "unknown", _("sem medida recente: o worker não mede")
    return "attention" if seen.level else "done", str(OUTSIDE[seen.level])


def _oldest(seen: Pressure) -> str:
    if not seen.waiting:
        return _("nenhuma")
    return wait_text(round(seen.oldest_seconds), language=get_language() or "pt-br")


def _share(seen: Pressure) -> int:
    return round(100 * seen.slots_held)
