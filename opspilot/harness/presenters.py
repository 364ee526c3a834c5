"""One's own questions and commands as a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from approvals.tasks import task_command
from opspilot.harness.models import Run, RunKind, RunState
from opspilot.presentation.formats import short_text, without_ids
from opspilot.presentation.shapes import State

_LONGEST_TITLE = 140
_STATES: dict[str, State] = {
    RunState.ANSWERED: "done",
    RunState.ABSTAINED: "pending",
    RunState.PREPARED: "pending",
    RunState.ASKS: "attention",
    RunState.HANDOVER: "pending",
    RunState.REFUSED: "failed",
    RunState.REVIEW: "attention",
    RunState.STOPPED: "failed",
    RunState.FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class Asked:
    url: str
    title: str
    when: str
    state: State
    word: str


def asked(runs: Sequence[Run]) -> list[Asked]:
    """What is neither answered nor ended is still being looked for."""
    return [_asked(run) for run in runs]


def waiting(runs: Sequence[Run]) -> list[Asked]:
    """For who may take them over: with who asked, and who has it."""
    return [replace(_asked(run), when=_whose(run)) for run in runs]


def _asked(run: Run) -> Asked:
    now, language = timezone.localtime(), get_language() or "pt-br"
    return Asked(
        url=reverse("rodadas:run", args=[run.ref]),
        title=_shortened(title(run)),
        when=short_text(timezone.localtime(run.created_at), now=now, language=language),
        state=_STATES.get(run.state, "running"),
        word=str(run.get_state_display()),
    )


def _whose(run: Run) -> str:
    who = _("pedido por %(name)s") % {"name": run.requester_name}
    if not run.held_by:
        return who
    return f"{who} · {_('está com %(name)s') % {'name': without_ids(run.held_by)}}"


def title(run: Run) -> str:
    """The request; its text may be gone by its term."""
    if run.kind == RunKind.QUESTION and not run.question:
        return _("Pedido cujo texto já foi apagado")
    return run.question or _command(run.command)


def _command(command: Mapping[str, Any]) -> str:
    """An explicit command as it was filled in, which may be before it was complete."""
    if "task" in command:
        task = task_command.read(command["task"])
        template = task.template or str(task.template_id or "?")
        said = {"template": template, "hosts": ", ".join(task.hosts) or "?"}
        return _("Tarefa %(template)s em %(hosts)s") % said
    return str(command.get("fields", {}).get("title") or _("Comando explícito"))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_TITLE else text[: _LONGEST_TITLE - 1] + "…"
