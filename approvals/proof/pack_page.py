"""The company's audit packs as their page lists them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from approvals.models import PackState, ProofPack
from approvals.proof import pack_asking, pack_form
from opspilot.presentation.formats import number_text, size_text
from opspilot.presentation.shapes import State
from opspilot.tenancy import clock

_STATES: dict[str, State] = {
    PackState.QUEUED: "pending",
    PackState.BUILDING: "running",
    PackState.READY: "done",
    PackState.FAILED: "failed",
    PackState.EXPIRED: "pending",
}
_FAULTS: dict[str, Promise] = {
    "sem_chave": gettext_lazy(
        "O worker não tem a chave que assina (OPSPILOT_SEAL_KEY_FILE). Avise quem cuida da instalação "
        "e peça de novo com a mesma semente."
    ),
    "disco_cheio": gettext_lazy(
        "O disco da pasta de exportação está cheio. Avise quem cuida da instalação e peça de novo com "
        "a mesma semente."
    ),
    "pasta_sem_acesso": gettext_lazy(
        "A pasta de exportação não existe ou não pode ser escrita. Avise quem cuida da instalação e "
        "peça de novo com a mesma semente."
    ),
    "interrompido": gettext_lazy(
        "O trabalho parou várias vezes no mesmo ponto. Peça de novo com a mesma semente; se repetir, "
        "avise quem cuida da instalação."
    ),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A pack as its line shows it."""

    pack: ProofPack
    title: str
    state: State
    word: str
    drawn: str
    fault: str
    is_open: bool
    is_kept: bool


def listing() -> list[Shown]:
    now = clock.now()
    return [_shown(pack, now) for pack in pack_asking.listed()]


def _shown(pack: ProofPack, now: dt.datetime) -> Shown:
    is_kept, state = pack_asking.is_kept(pack, now=now), PackState(pack.state)
    if state is PackState.READY and not is_kept:
        state = PackState.EXPIRED  # by the clock already; the worker is about to say so too
    return Shown(
        pack=pack,
        title=pack_form.words(pack.quarter),
        state=_STATES[state],
        word=str(state.label),
        drawn=_drawn(pack, state),
        fault=str(_FAULTS.get(pack.code, "")) if state is PackState.FAILED else "",
        is_open=state in pack_asking.OPEN,
        is_kept=is_kept,
    )


def _drawn(pack: ProofPack, state: PackState) -> str:
    language = get_language() or "pt-br"
    if state not in (PackState.READY, PackState.EXPIRED):
        return _("até %(count)s") % {"count": number_text(pack.wanted, language=language)}
    counts = {
        "drawn": number_text(pack.drawn, language=language),
        "of": number_text(pack.effects, language=language),
    }
    words = _("%(drawn)s de %(of)s") % counts
    return f"{words} · {size_text(pack.size, language=language)}"
