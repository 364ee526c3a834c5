"""One's own questions and commands as a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from approvals.tasks import task_command
from opspilot.harness.models import Run, RunState
from opspilot.presentation.formats import short_text
from opspilot.presentation.shapes import State

_LONGEST_TITLE = 140
_STATES: dict[str, State] = {
    RunState.ANSWERED: "done",
    RunState.ABSTAINED: "pending",
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
    now, language = timezone.localtime(), get_language() or "pt-br"
    return [
        Asked(
            url=reverse("rodadas:run", args=[run.ref]),
            title=_shortened(run.question or _command(run.command)),
            when=short_text(timezone.localtime(run.created_at), now=now, language=language),
            state=_STATES.get(run.state, "running"),
            word=str(run.get_state_display()),
        )
        for run in runs
    ]


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
