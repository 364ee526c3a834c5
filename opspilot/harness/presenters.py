"""One's own questions as a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language

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
            title=_shortened(run.question),
            when=short_text(timezone.localtime(run.created_at), now=now, language=language),
            state=_STATES.get(run.state, "running"),
            word=str(run.get_state_display()),
        )
        for run in runs
    ]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_TITLE else text[: _LONGEST_TITLE - 1] + "…"
