"""How a run that gave no answer ended, and what comes next: each end by its own words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from opspilot.harness import task_services
from opspilot.harness.models import Run, RunState
from opspilot.presentation.formats import clock_text, without_ids
from opspilot.presentation.shapes import State
from opspilot.rodadas.step_words import code_words

_OF_AN_ISSUE: dict[str, Promise] = {
    "alias": gettext_lazy("projeto"),
    "title": gettext_lazy("título"),
    "description": gettext_lazy("descrição"),
    "labels": gettext_lazy("etiquetas"),
    "assignees": gettext_lazy("responsáveis"),
}
_OF_BOTH: dict[str, Promise] = {
    "action": gettext_lazy("o que deve ser feito"),
    "justificativa": gettext_lazy("por que isto precisa ser feito"),
    "template": gettext_lazy("template"),
    "limit": gettext_lazy("host"),
}


@dataclass(frozen=True, slots=True)
class Way:
    """A link onwards."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Ending:
    """`said`: the planner's own words, which nobody checked. They, `link` and `ways` are for who asked:
    others may not read the collections that the words were made from."""

    state: State
    title: str
    text: str = ""
    said: str = ""
    link: Way | None = None
    ways: list[Way] = field(default_factory=list)
    tries_anew: bool = False


def of(run: Run) -> Ending | None:
    """None where the page has other words: an answer, no basis, a command, or still open."""
    made = _ENDS.get(run.state)
    return made(run) if made else None


def missing_words(run: Run) -> str:
    names = run.answer.get("missing", [])
    if not names:
        return ""
    known = _OF_AN_ISSUE | _OF_BOTH
    return task_services.missing_words(tuple(str(known.get(name, name)) for name in names))


def _prepared(run: Run) -> Ending:
    """A task is confirmed where its template was read, below."""
    correct = _form(run, _("Corrigir"))
    ways = [_way(run, "confirm", _("Revisar e confirmar")), correct]
    is_task = "task" in run.command
    return Ending(
        "pending",
        _("O comando do seu pedido está preparado."),
        _("Nada foi enviado: leia o comando, corrija se preciso e confirme."),
        link=correct if is_task else None,
        ways=[] if is_task else ways,
    )


def _asks(run: Run) -> Ending:
    missing = missing_words(run)
    why = f"{code_words(run.code)}." if run.code else ""
    rest = missing or _("Complete o formulário, ou peça de outro modo.")
    return Ending(
        "attention",
        _("Falta uma parte do pedido.") if missing else _("O pedido não ficou claro."),
        " ".join(part for part in (why, rest) if part),
        said=run.answer.get("words", ""),
        ways=_forms(run),
    )


def _handed_over(run: Run) -> Ending:
    return Ending(
        "pending",
        _("Este pedido foi repassado a uma pessoa."),
        _with_whom(run),
        said=run.answer.get("words", ""),
    )


def _with_whom(run: Run) -> str:
    if run.held_by:
        return _("Está com %(name)s.") % {"name": without_ids(run.held_by)}
    return _(
        "Ainda ninguém o assumiu: quem aprova, conformidade e os admins o veem em Com uma pessoa."
    )


def _refused(run: Run) -> Ending:
    if run.code != "fora_do_console":
        said = run.answer.get("words", "")
        text = f"{code_words(run.code)}. {_('Nada foi enviado.')}"
        return Ending("failed", _("Este pedido foi recusado."), text, said=said)
    return Ending(
        "failed",
        _("Isto não é algo que este console faça."),
        _("Ele responde com os runbooks e prepara issues e tarefas que a política permite."),
        said=run.answer.get("words", ""),
    )


def _review(run: Run) -> Ending:
    why = _("Motivo: %(why)s.") % {"why": code_words(run.code)}
    when = (
        _("Tentar depois de %(time)s.") % {"time": clock_text(localtime(run.try_after))}
        if run.try_after
        else ""
    )
    whom = _with_whom(run) if run.held_by else ""
    text = " ".join(
        part for part in (why, _("Nada se perdeu e nada foi feito."), when, whom) if part
    )
    return Ending("attention", _("O pedido está em revisão."), text, tries_anew=True)


def _failed(run: Run) -> Ending:
    texts = {
        "passos_esgotados": _("Os passos de uma rodada acabaram antes do fim. Nada foi enviado."),
        "prazo_da_rodada": _("O tempo de uma rodada acabou antes do fim. Nada foi enviado."),
        "plano_ilegivel": _("O que o modelo planejou não pôde ser lido. Nada foi enviado."),
        "busca_recusada": _("A busca não aceitou o texto do pedido. Nada foi enviado."),
    }
    text = texts.get(run.code) or _("O trabalho parou três vezes. Nada se perdeu.")
    return Ending("failed", _("Este pedido não foi concluído."), text, tries_anew=True)


def _stopped(run: Run) -> Ending:
    name = without_ids(run.stop_by)
    return Ending("failed", _("Esta rodada foi parada."), _("Por %(name)s.") % {"name": name})


def _forms(run: Run) -> list[Way]:
    """The one form that what was understood belongs to; both where that is not clear."""
    names = set(run.answer.get("missing", [])) - {"justificativa"}
    if run.command or names:
        is_issue = "fields" in run.command or bool(names & _OF_AN_ISSUE.keys())
        if "action" not in names:
            return [_form(run, _("Completar o pedido"), is_issue=is_issue)]
    return [
        _form(run, _("Preparar uma issue"), is_issue=True),
        _form(run, _("Preparar uma tarefa"), is_issue=False),
    ]


def _form(run: Run, label: str, *, is_issue: bool | None = None) -> Way:
    issue = "task" not in run.command if is_issue is None else is_issue
    return _way(run, "propose" if issue else "task_of_run", label)


def _way(run: Run, name: str, label: str) -> Way:
    return Way(label, reverse(f"rodadas:{name}", args=[run.ref]))


_ENDS: dict[str, Callable[[Run], Ending]] = {
    RunState.PREPARED: _prepared,
    RunState.ASKS: _asks,
    RunState.HANDOVER: _handed_over,
    RunState.REFUSED: _refused,
    RunState.REVIEW: _review,
    RunState.FAILED: _failed,
    RunState.STOPPED: _stopped,
}
