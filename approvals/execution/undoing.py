"""How the effect of an action can be undone, and what of it cannot: words, by kind."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from approvals.actions import ISSUE_CLOSED, ISSUE_CREATED, SENT_AGAIN
from approvals.tasks.task_command import TASK_RUN
from audit.vocabulary import ACTIONS


@dataclass(frozen=True, slots=True)
class Undoing:
    """`state` and `word` say whether; `how` says by which act, `never` what stays done."""

    state: str
    word: str | Promise
    how: str | Promise
    never: str | Promise


_WORDS = {True: ("done", _("pode ser desfeita")), False: ("attention", _("não se desfaz"))}
_HOW: dict[str, str | Promise] = {
    ISSUE_CREATED: _(
        "Uma reversão, pedida nesta página e aprovada por outra pessoa, fecha a issue."
    ),
    ISSUE_CLOSED: _("Reabra a issue no destino; o link dela fica nesta página e na trilha."),
    SENT_AGAIN: "",
    TASK_RUN: _("Só outra tarefa, pedida e aprovada como esta, leva o host a outro estado."),
}
_NEVER: dict[str, str | Promise] = {
    ISSUE_CREATED: _(
        "Fechar não apaga: o texto fica no destino, e quem foi avisado por ele já leu."
    ),
    ISSUE_CLOSED: _("Quem foi avisado do fechamento já leu."),
    SENT_AGAIN: _("Se o primeiro pedido tiver criado a issue, passam a existir duas."),
    TASK_RUN: _("O que a tarefa mudou no host fica mudado, e quem dependia dele já sentiu."),
}


_BY_TASK = _(
    "A política declara a tarefa que desfaz esta; ela é pedida na rodada e aprovada como esta."
)


def of(kind: str, action: object = None) -> Undoing:
    """A kind that is not registered is taken for one that cannot be undone. A task may be, by the
    template that its own action names."""
    if kind == TASK_RUN and isinstance(action, dict) and action.get("undo"):
        return Undoing(*_WORDS[True], _BY_TASK, _NEVER[TASK_RUN])
    return _of_kind(kind)


def _of_kind(kind: str) -> Undoing:
    action = ACTIONS.get(kind)
    state, word = _WORDS[action is not None and action.reversible]
    if kind in _HOW:
        return Undoing(state, word, _HOW[kind], _NEVER[kind])
    if action is None or not action.reversible:
        return Undoing(
            state, word, "", _("Nada registrado diz como voltar atrás. Decida sabendo disso.")
        )
    how = _("O agente que executa também desfaz, por uma ação própria que pede outra decisão.")
    return Undoing(state, word, how, "")
