"""A task's command from what was given to what came of it, for the run page (seeds/004)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals import rules
from approvals.authorization import Authorization, Request, authorize
from approvals.errors import PolicyRefusedError
from approvals.inbox import presenters as approval_presenters
from approvals.inbox import wording
from approvals.models import AgenteAprovacao, Execution, PolicyVersion, State
from approvals.policy.outcomes import TaskOutcome
from approvals.rules import Version
from approvals.tasks import preflights, task_command, task_drafts, task_outputs
from approvals.tasks.preflights import Preflight
from approvals.tasks.task_command import TASK_RUN, TaskCommand
from opspilot.harness import task_services
from opspilot.harness.models import Run
from opspilot.tenancy import clock

_FAILURES = {
    "destino_ocupado": lambda: _("O Semaphore pediu para esperar."),
    "destino_sem_acesso": lambda: _("O Semaphore não deixa ler este template."),
    "destino_indisponivel": lambda: _("O Semaphore não respondeu."),
}
_SOURCES = {
    "formulario": lambda: _("formulário Comando explícito"),
    "colado": lambda: _("colado na caixa de perguntas"),
    "reversao": lambda: _("reversão de outra tarefa"),
    "planejador": lambda: _("interpretado de um pedido"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One pair of the story. `mono` for what is compared sign by sign, `pre` for several lines."""

    label: str
    value: str
    mono: bool = False
    pre: bool = False


@dataclass(frozen=True, slots=True)
class HostLine:
    host: str
    ok: int
    changed: int
    failed: int
    unreachable: int

    @property
    def is_good(self) -> bool:
        return not (self.failed or self.unreachable)


@dataclass(frozen=True, slots=True)
class Story:
    """`note` is how the reading of the template stands, while nothing is proposed; `is_ready` says
    that a proposal may be prepared, `check_url` offers another reading, `undo_url` the way back.
    `pace` as on a proposal."""

    lines: list[Line]
    checks: list[tuple[str, bool, str]]
    note: dict[str, str] | None
    is_ready: bool
    check_url: str
    undo_url: str
    output: str
    hosts: list[HostLine]
    status: str
    pace: str


def of(run: Run, proposal: AgenteAprovacao | None, execution: Execution | None) -> Story | None:
    """None for a run that is not about a task."""
    if "task" not in run.command:
        return None
    command = task_command.read(run.command["task"])
    answer = _answer(run, command, proposal)
    found, outcome = None, answer.outcome if answer else None
    if proposal is None and isinstance(outcome, TaskOutcome):
        found = preflights.of(project=outcome.project_id, template=outcome.template_id)
    note, ready = _note(found, outcome)
    printed = task_outputs.of(execution) if execution else None
    waits = found is not None and found.reading != "lido"
    return Story(
        lines=[*_lines(run, command), *_validated(answer), *_proposed(proposal, execution)],
        checks=[(str(c.rule), c.ok, c.sentence) for c in answer.checks] if answer else [],
        note=note,
        is_ready=ready,
        check_url=reverse("rodadas:check", args=[run.ref]) if waits else "",
        undo_url=reverse("rodadas:undo_task", args=[run.ref])
        if proposal and task_services.can_be_undone(execution, proposal)
        else "",
        output=printed.text if printed else "",
        hosts=[_host(name, row) for name, row in sorted(printed.recap.items())] if printed else [],
        status=printed.status if printed else "",
        pace="fast" if waits else _pace(proposal, execution),
    )


def _pace(proposal: AgenteAprovacao | None, execution: Execution | None) -> str:
    """Also while a decision is waited for: the page is open to see the task start."""
    if proposal is not None and proposal.estado == State.PENDENTE:
        return "slow"
    return approval_presenters.pace(execution, clock.now())


def _answer(
    run: Run, command: TaskCommand, proposal: AgenteAprovacao | None
) -> Authorization | None:
    """Every rule's answer: under the policy it was proposed under, else under that of now."""
    try:
        policy = rules.in_force(_version(proposal))
    except PolicyRefusedError:
        return None
    roles = rules.requesters(policy.document, kind=TASK_RUN)
    return authorize(request=Request(roles, command, run.coverage), document=policy.document)


def _version(proposal: AgenteAprovacao | None) -> Version | None:
    if proposal is None:
        return None
    rows = PolicyVersion.objects.filter(number=proposal.politica_versao)
    found = rows.values_list("number", "sha256").first()
    return Version(*found) if found else None


def _note(found: Preflight | None, outcome: Any) -> tuple[dict[str, str] | None, bool]:
    if found is None:
        return None, False
    if found.reading != "lido":
        words = _FAILURES.get(found.failure)
        title = words() if words else _("O template está sendo conferido no Semaphore.")
        text = _("A página se atualiza; a proposta vem depois da leitura.")
        return {"state": "attention" if words else "running", "title": title, "text": text}, False
    refused = preflights.refusals(found, outcome=outcome, pinned=outcome.fingerprint)
    if refused:
        sentence = " ".join(refusal.sentence for refusal in refused)
        title = _("O template não pode ser executado como está.")
        return {"state": "failed", "title": title, "text": sentence}, False
    text = _("%(name)s, playbook %(playbook)s.") % {
        "name": found.name,
        "playbook": found.playbook,
    }
    title = _("Template conferido no Semaphore.")
    return {"state": "done", "title": title, "text": text}, True


def _lines(run: Run, command: TaskCommand) -> Iterator[Line]:
    source = _SOURCES.get(run.command.get("source", ""))
    if source:
        yield Line(_("Entrada"), source())
    template = command.template or str(command.template_id or "?")
    yield Line(_("Template recebido"), template, mono=True)
    yield Line(_("Host recebido"), ", ".join(command.hosts) or "?", mono=True)
    for name, value in command.variables:
        yield Line(name, value, mono=True)
    if run.command.get("source") == "planejador":
        yield Line(_("Saída estruturada"), _("o comando que o planejador propôs, lido por regras"))
        return
    yield Line(_("Saída estruturada"), _("o próprio comando, lido por regras"))
    yield Line(_("Provedor e modelo"), _("sem modelo: comando explícito"))


def _validated(answer: Authorization | None) -> Iterator[Line]:
    if answer is not None:
        allowed = sum(check.ok for check in answer.checks)
        words = _("%(allowed)s de %(all)s regras permitem")
        yield Line(_("Validação"), words % {"allowed": allowed, "all": len(answer.checks)})


def _proposed(proposal: AgenteAprovacao | None, execution: Execution | None) -> Iterator[Line]:
    if proposal is None:
        return
    action = proposal.proposta
    yield Line(_("Resolvido para"), task_drafts.summary(action), mono=True)
    yield Line(_("Confirmação"), proposal.solicitante_nome)
    if execution is None:
        return
    if execution.attempts or execution.remote:
        body = approval_presenters.body(proposal)
        yield Line(_("Corpo enviado"), body, mono=True, pre=True)
    if execution.remote.get("id"):
        yield Line(_("Tarefa no Semaphore"), str(execution.remote["id"]), mono=True)
    _state, word = wording.state(proposal, execution)
    why = wording.reason(execution.reason)
    yield Line(_("Resultado"), f"{word}: {why}" if why else word)


def _host(name: str, row: dict[str, int]) -> HostLine:
    return HostLine(name, row["ok"], row["changed"], row["failed"], row["unreachable"])
