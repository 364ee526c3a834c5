"""From a planned call to a command that its requester may confirm.

The words of a planner go the way of a form's and of a pasted command: the same readers, the same
rules, with the requester's roles of now. What is kept is no proposal: nothing is frozen, decided or
sent before the requester has read and confirmed it.
"""

from __future__ import annotations

import re
from typing import Any

from approvals import actions, drafts
from approvals.tasks import preflights, task_command
from approvals.tasks.task_command import TaskCommand
from approvals.tasks.task_refusals import IncompleteTaskError, UnreadCommandError
from opspilot.errors import OpsPilotError
from opspilot.harness import services, task_services
from opspilot.harness.guards import identities
from opspilot.harness.guards.tools import authorize_tool_call
from opspilot.harness.models import Run
from opspilot.harness.planning.port import PrepareIssue, PrepareTask
from opspilot.tenancy import selectors
from opspilot.tenancy.principal import Principal

SOURCE = "planejador"
MAX_WHY = 300  # characters of a request that are its justification
_SENTENCE = re.compile(r".+?(?:[.!?…]+(?=\s)|$)", re.MULTILINE)
_OWN = frozenset({"template", "template_id", "limit"})


def requester_of(run: Run) -> Principal:
    """With the roles of now: none for somebody who is out."""
    number = int(run.requester.rpartition(":")[2])
    return Principal(
        tenant_id=run.tenant_id,
        tenant_name="",
        user_id=number,
        name=run.requester_name,
        roles=selectors.roles_now(user_id=number),
    )


def kept(run: Run, call: PrepareIssue | PrepareTask) -> dict[str, Any]:
    """The command as the run keeps it, in the open transaction; its justification is empty where the
    request's own text is none. Raises the refusal of the first rule that refuses.

    A task's template is asked to be read at the remote, as for any task.
    """
    by = requester_of(run)
    authorize_tool_call(identities.of_person(by), call.tool)
    words = _task(by, run, call) if isinstance(call, PrepareTask) else _issue(by, run, call)
    return words | _frame(run)


def understood(run: Run, call: PrepareIssue | PrepareTask) -> dict[str, Any]:
    """What was said so far, for the form that asks for the rest: nothing of it was checked."""
    if isinstance(call, PrepareTask):
        return {"task": task_command.read(_raw(call)).fields} | _frame(run)
    words = call.model_dump(mode="json", exclude={"tool"})
    return {"fields": words} | _frame(run)


def reason(run: Run) -> str:
    """The request's own first words, where they say enough to be a justification and hold nothing
    that may not be stored; else empty, and the requester is asked for one."""
    text = first_sentence(run.question)
    try:
        services.check_justification(text)
    except OpsPilotError:
        return ""
    return text


def first_sentence(text: str) -> str:
    """Or the first line, whichever ends sooner; of a longer one than MAX_WHY the whole words that fit.
    What follows may be a pasted log, which is no reason."""
    found = _SENTENCE.match(text.strip())
    first = found.group().strip() if found else ""
    if len(first) <= MAX_WHY:
        return first
    words = re.match(rf"(.{{1,{MAX_WHY}}})\s", first)
    return words.group(1).rstrip() if words else ""


def _frame(run: Run) -> dict[str, Any]:
    return {"source": SOURCE, "justification": reason(run), **services.customer("")}


def _issue(by: Principal, run: Run, call: PrepareIssue) -> dict[str, Any]:
    command = actions.parse(call.model_dump(exclude={"tool"}))
    draft = drafts.prepare(principal=by, run_id=run.ref, command=command, coverage=run.coverage)
    return {"fields": services.as_stored(command, draft)}


def _task(by: Principal, run: Run, call: PrepareTask) -> dict[str, Any]:
    command = _read(call)
    unsaid = tuple(name for name in _missing(command) if name != task_services.WHY)
    if unsaid:
        raise IncompleteTaskError(task_services.missing_words(unsaid), fields=list(unsaid))
    outcome = task_services.outcome_of(principal=by, run=run, command=command)
    preflights.want(project=outcome.project_id, template=outcome.template_id)
    return {"task": command.fields}


def _missing(command: TaskCommand) -> tuple[str, ...]:
    return task_services.missing(command=command, why="")


def _read(call: PrepareTask) -> TaskCommand:
    """Raises UnreadCommandError for a variable that is said twice, or that would be the template."""
    names = [one.name.strip() for one in call.variables]
    if len(set(names)) < len(names) or _OWN & set(names):
        raise UnreadCommandError
    return task_command.read(_raw(call))


def _raw(call: PrepareTask) -> dict[str, object]:
    values = {one.name: one.value for one in call.variables}
    return values | {"template": call.template, "limit": list(call.limit)}
