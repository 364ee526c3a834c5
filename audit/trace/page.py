"""How far a trace is, in words."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from audit.models import Trace, TraceState
from audit.trace import asking
from opspilot.presentation.formats import number_text, size_text
from opspilot.presentation.shapes import State, Step

_STATES: dict[str, State] = {
    TraceState.QUEUED: "pending",
    TraceState.BUILDING: "running",
    TraceState.READY: "done",
    TraceState.FAILED: "failed",
    TraceState.EXPIRED: "pending",
}
_FAULTS: dict[str, Promise] = {
    "disco_cheio": gettext_lazy(
        "O disco da pasta de exportação está cheio; o que já estava escrito foi apagado. Peça espaço a "
        "quem cuida da instalação e tente de novo."
    ),
    "pasta_sem_acesso": gettext_lazy(
        "A pasta de exportação não existe ou não pode ser escrita. Avise quem cuida da instalação e "
        "tente de novo."
    ),
    "interrompido": gettext_lazy(
        "O trabalho parou várias vezes no mesmo ponto; o que já estava escrito foi apagado. Tente de "
        "novo; se repetir, avise quem cuida da instalação."
    ),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A trace as its page and its line in a list show it."""

    trace: Trace
    url: str
    state: State
    word: str
    progress: str
    fault: str
    is_open: bool
    is_kept: bool


def shown(trace: Trace) -> Shown:
    is_kept = asking.is_kept(trace)
    state = TraceState(trace.state)
    if state is TraceState.READY and not is_kept:
        state = TraceState.EXPIRED  # by the clock already; the worker is about to say so too
    return Shown(
        trace=trace,
        url=reverse("audit:trace", args=[trace.ref]),
        state=_STATES[state],
        word=str(state.label),
        progress=_progress(trace, state),
        fault=str(_FAULTS.get(trace.code, "")) if state is TraceState.FAILED else "",
        is_open=state in (TraceState.QUEUED, TraceState.BUILDING),
        is_kept=is_kept,
    )


def steps(one: Shown) -> list[Step]:
    queued = one.trace.state == TraceState.QUEUED
    return [
        Step(_("na fila"), "running" if queued else "done", current=queued),
        Step(_("montando"), "pending" if queued else "running", current=not queued),
        Step(_("pronto"), "pending"),
    ]


def _progress(trace: Trace, state: TraceState) -> str:
    language = get_language() or "pt-br"
    if state is TraceState.QUEUED:
        return _("Espera a sua vez.")
    count = number_text(trace.rows, language=language)
    rows = ngettext("%(count)s linha", "%(count)s linhas", trace.rows) % {"count": count}
    if state is TraceState.READY:
        if trace.rows == 0:
            rows = _("nenhum registro, e o arquivo o declara")
        return f"{rows} · {size_text(trace.size, language=language)}"
    return rows if state is TraceState.BUILDING else ""
