"""Whether what a story tells can be undone, and how: in words, with the address where it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from audit import wording
from audit.story.queries import TrailLine
from audit.vocabulary import Result

_HOW = {
    "issue.criada": gettext_lazy("sim, fechando a issue em"),
    "issue.fechada": gettext_lazy("sim, reabrindo a issue em"),
}
_WHY_NOT = {
    "tarefa.executada": gettext_lazy("não por si: só outra tarefa, que faça o contrário"),
}


@dataclass(frozen=True, slots=True)
class Undoing:
    words: str
    url: str = ""
    link: str = ""
    reference: str = ""  # what undoes it, where a browser cannot open it


def of(lines: Sequence[TrailLine], effect: TrailLine | None) -> Undoing:
    """`lines` of one story, `effect` the row of what was done, if anything was."""
    undone = next((line for line in lines if _is_reversal(line)), None)
    if undone is not None:
        return _undone(undone)
    if effect is None or effect.result in {Result.RECUSADO, Result.EXPIRADO, Result.PENDENTE}:
        return Undoing(_("nada a desfazer: nada foi feito no destino"))
    if effect.result == Result.DESCONHECIDO:
        return Undoing(_("não se sabe se foi feita; antes de desfazer, procura-se no destino"))
    return _possible(effect) if effect.reversible else _impossible(effect)


def _is_reversal(line: TrailLine) -> bool:
    return line.action == "execucao.revertida" and line.result == Result.OK


def _undone(line: TrailLine) -> Undoing:
    try:
        address = reverse("approvals:detail", args=[UUID(line.reversal or "")])
    except ValueError:
        return Undoing(_("já desfeita"))
    return Undoing(_("já desfeita, por"), address, _("outra proposta"))


def _possible(effect: TrailLine) -> Undoing:
    url, place = wording.reversal(effect.reversal or "")
    words = str(_HOW.get(effect.action, gettext_lazy("sim, por")))
    if not place:
        return Undoing(_("sim, mas sem a referência do destino"))
    return Undoing(words, url, place) if url else Undoing(words, reference=place)


def _impossible(effect: TrailLine) -> Undoing:
    return Undoing(str(_WHY_NOT.get(effect.action, gettext_lazy("não: esta ação não tem volta"))))
