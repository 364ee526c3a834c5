"""An explicit task: template and target are said, so no model is asked and nothing is searched.

By form, pasted where a question is asked, or by program: one reader, one set of rules (seeds/004).
"""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from approvals import rules
from approvals.errors import NothingToReverseError
from approvals.inbox import selectors as approvals
from approvals.models import AgenteAprovacao, Execution, ExecutionState
from approvals.policy.outcomes import Request, TaskOutcome, named
from approvals.policy.policy_document import PolicyDocument
from approvals.tasks import preflights, task_command, task_drafts, task_rules
from approvals.tasks.task_command import FIELDS, TASK_RUN, TaskCommand
from approvals.tasks.task_refusals import (
    IncompleteTaskError,
    TemplateRunnerError,
    UnknownFieldsError,
    UnknownTemplateError,
    UnreadCommandError,
)
from opspilot.harness import services
from opspilot.harness.models import Run
from opspilot.tenancy.principal import Principal

Source = Literal["formulario", "colado", "reversao"]
WHY = "justificativa"
_OF_THE_TEMPLATE = (UnknownTemplateError, TemplateRunnerError)
_NAMES = {
    "template_id": _("template"),
    "limit": _("host"),
    WHY: _("por que isto precisa ser feito"),
}


def missing(*, command: TaskCommand, why: str) -> tuple[str, ...]:
    """What is still to be asked for, by the names of the fields. Raises what cannot be mended by
    filling in: a field that cannot be read, a name that no template has."""
    document = rules.in_force().document
    if command.unreadable:
        raise UnreadCommandError(_unread(command))
    unknown = sorted(dict(command.variables).keys() - variables_of(document))
    if unknown:
        words = named(_("Campo que nenhum template tem: %(name)s."), unknown)
        raise UnknownFieldsError(words)
    reason = () if len(why.strip()) >= services.MIN_JUSTIFICATION else (WHY,)
    return (*task_rules.missing(command, document), *reason)


def _unread(command: TaskCommand) -> str:
    if command.unreadable == (task_command.WHOLE,):
        return ""
    return named(_("Não faz parte do comando: %(name)s."), list(command.unreadable))


def impossible(*, principal: Principal, command: TaskCommand) -> dict[str, str]:
    """A sentence for each field, template or target, whose value can never be allowed."""
    request = Request(principal.roles, command, None)
    refused = task_rules.impossible(request, command, rules.in_force().document)
    return {
        "template_id" if check.error in _OF_THE_TEMPLATE else "limit": check.sentence
        for check in reversed(refused)
    }


def missing_words(names: tuple[str, ...]) -> str:
    said = [str(_NAMES.get(name, name)) for name in names]
    return named(_("Falta dizer: %(name)s."), said)


def variables_of(document: PolicyDocument) -> frozenset[str]:
    """Every variable that some template of the policy takes, and those that are always kept."""
    rule = document.tarefa_executada
    templates = rule.templates.values() if rule else ()
    taken = {name for template in templates for name in template.variables}
    return frozenset(taken | set(FIELDS) - {"template_id", "limit"})


def fill_in(
    *,
    principal: Principal,
    run: Run,
    command: TaskCommand,
    why: str,
    document: str,
    source: Source,
) -> None:
    """Keep a command that the policy allows in the run, and have its template read at the remote.

    The proposal comes after that reading. `document` is the customer's CPF or CNPJ, kept only as
    an internal id. Raises IncompleteTaskError, or the refusal of the first rule that refuses.
    """
    unsaid = missing(command=command, why=why)
    if unsaid:
        raise IncompleteTaskError(missing_words(unsaid), fields=list(unsaid))
    services.hold(run)
    outcome = outcome_of(principal=principal, run=run, command=command)
    _check_undo(run, outcome)
    words = {"task": command.fields, "source": source, "justification": services.written(why)}
    services.keep(run, words | services.customer(document))
    preflights.want(project=outcome.project_id, template=outcome.template_id)


def open_task(
    *, principal: Principal, command: TaskCommand, why: str, document: str, source: Source
) -> Run:
    """A run of its own for the command: no question, no search, no model."""
    run = services.opened(principal)
    fill_in(
        principal=principal, run=run, command=command, why=why, document=document, source=source
    )
    return run


def open_undo(*, principal: Principal, proposal: AgenteAprovacao) -> Run:
    """A run for the task that the policy declared to undo this one: on the same hosts, with those
    of its variables that the other template takes; the rest is asked for, and so is the reason.

    Raises NothingToReverseError when the task did not end as approved, or nothing undoes it.
    """
    execution = Execution.objects.filter(approval=proposal).first()
    if execution is None or not can_be_undone(execution, proposal):
        raise NothingToReverseError(**proposal.facts)
    action, rule = proposal.proposta, rules.in_force().document.tarefa_executada
    template = rule.templates.get(action["undo"]) if rule else None
    taken = template.variables if template else ()
    fields = {name: value for name, value in action["variables"].items() if name in taken}
    run = services.opened(principal)
    run.command = {
        "task": {"template": action["undo"], "limit": action["hosts"], **fields},
        "source": "reversao",
        "justification": "",
        "entity": None,
        "undoes": str(proposal.ref),
    }
    run.save(update_fields=["command"])
    return run


def original_of(run: Run) -> AgenteAprovacao | None:
    """The proposal that this run is to undo."""
    ref = run.command.get("undoes")
    return approvals.proposal(ref=UUID(ref)) if ref else None


def _check_undo(run: Run, outcome: TaskOutcome) -> None:
    original = original_of(run)
    if original is not None:
        alias, _found = task_drafts.template_of(rules.in_force().document, outcome.template_id)
        task_drafts.undoing({"alias": alias, "hosts": list(outcome.hosts)}, original)


def can_be_undone(execution: Execution | None, proposal: AgenteAprovacao) -> bool:
    done = execution is not None and execution.state == ExecutionState.CONCLUIDA
    return done and proposal.acao == TASK_RUN and bool(proposal.proposta.get("undo"))


def check_again(*, principal: Principal, run: Run) -> None:
    """Have the template of this run's command read again."""
    command = task_command.read(run.command.get("task"))
    outcome = outcome_of(principal=principal, run=run, command=command)
    preflights.want(project=outcome.project_id, template=outcome.template_id)


def outcome_of(*, principal: Principal, run: Run, command: TaskCommand) -> TaskOutcome:
    """What the policy in force makes of it, or its refusal."""
    found = rules.evaluate(
        policy=rules.in_force(), command=command, roles=principal.roles, coverage=run.coverage
    )
    if not isinstance(found, TaskOutcome):
        raise TypeError("the outcome of a task is a task's")
    return found
