"""A run as the page shows it: its wait, and the command that is made of it."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _

from approvals import neutral
from approvals.drafts import Draft
from approvals.inbox import wording
from approvals.policy.policy_document import PolicyDocument
from opspilot.harness.models import Run, RunState
from opspilot.presentation.shapes import Fact, Step
from opspilot.rodadas import answers

_LISTED = re.compile(r"[-*+] |\d+[.)] ")
SLOW = 2.0  # seconds of waiting after which it is said how long it has been


def steps(run: Run) -> list[Step]:
    """Where the wait stands."""
    queued = run.state == RunState.QUEUED
    return [
        Step(_("na fila"), "running" if queued else "done", current=queued),
        Step(_("buscando"), "pending" if queued else "running", current=not queued),
        Step(_("conferindo citações"), "pending"),
    ]


def waited(run: Run, now: dt.datetime) -> str:
    """How long the question has waited, once it is worth saying."""
    seconds = (now - run.created_at).total_seconds()
    if seconds < SLOW:
        return ""
    return _("%(seconds)s s. Pode sair: a resposta fica em Minhas perguntas e comandos.") % {
        "seconds": int(seconds)
    }


def written(run: Run) -> dict[str, Any]:
    """The command as it was filled in before, for the person who goes back to correct it."""
    fields = run.command["fields"]
    return {
        "alias": fields["alias"],
        "titulo": fields["title"],
        "descricao": fields["description"],
        "etiquetas": fields["labels"],
        "responsaveis": fields["assignees"],
        "justificativa": run.command["justification"],
    }


def suggestion(run: Run, policy: PolicyDocument, *, readable: Collection[int]) -> dict[str, Any]:
    """A first draft of the issue from the answer, for the person to correct."""
    shown = answers.answer(run, readable=readable)
    if shown is None:
        return {}
    # A table's row alone says nothing in a list.
    kept = [line for line in shown.lines if not line.text.startswith("|")]
    found = "\n".join(_listed(line.text, line.heading) for line in kept)
    cited = "\n".join(
        f"- {source.title}, {_('versão')} {source.version}, {_('trecho')} {source.part}"
        for source in shown.sources
    )
    return {
        "alias": next((s.sub for s in shown.sources if s.sub in policy.projects), ""),
        "titulo": shown.sources[0].title[:120] if shown.sources else "",
        "descricao": f"## {_('O que os runbooks dizem')}\n{found}\n\n## {_('Fontes')}\n{cited}",
    }


def _listed(text: str, heading: str) -> str:
    """A sentence as Markdown of its own list; under another heading another list begins."""
    first, *more = text.splitlines()
    item = first if _LISTED.match(first) else f"- {first}"
    title = [f"\n### {heading}"] if heading else []
    return "\n".join([*title, item, *(f"   {line}" for line in more)])


def sent_body(draft: Draft) -> str:
    """The request of a task as it will leave; an issue's is shown by its fields."""
    return json.dumps(draft.body, ensure_ascii=False, indent=2) if draft.is_task else ""


def why(run: Run) -> str:
    """The justification as it will be frozen; nothing of a run that still has to be given one."""
    return "" if run.state == RunState.ASKS else str(run.command.get("justification", ""))


def draft_facts(draft: Draft, client: str) -> list[Fact]:
    outcome = draft.outcome
    customer = [Fact(_("Cliente"), client)] if client else []
    return [
        *customer,
        Fact(_("Risco"), level=outcome.risk),
        Fact(_("Aprovações"), str(outcome.quorum), note=outcome.approver_role),
        Fact(_("Política"), _("versão %(number)s") % {"number": draft.policy.number}),
        Fact(_("Cobertura"), wording.coverage(draft.coverage)),
    ]


def neutralised(typed: dict[str, Any], stored: dict[str, Any]) -> bool:
    """Whether something of what was typed was made inert, and not merely tidied, when stored."""
    title = " ".join(neutral.normalise(typed["title"]).split())
    text = neutral.normalise(typed["description"])
    return (title, text) != (stored["title"], stored["description"])
