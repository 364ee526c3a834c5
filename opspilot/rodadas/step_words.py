"""The steps of a run in words: what was called, with what, by whom, how long it took and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from audit import reasons, wording
from grounding.pages import coverage_words
from opspilot.harness.models import Run, RunStep, StepOutcome
from opspilot.harness.running import steps
from opspilot.presentation.formats import money_text, number_text
from opspilot.presentation.shapes import Entry, State

_SHORTEST = 10  # milliseconds that are worth saying
_LONGEST = 160  # characters of what was asked for
_DRAWN: dict[str, State] = {
    StepOutcome.DONE: "done",
    StepOutcome.REFUSED: "failed",
    StepOutcome.INVALID: "attention",
}
_ENDINGS: dict[str, Callable[[], str]] = {
    "answer": lambda: _("Responder com o que foi achado"),
    "ask": lambda: _("Perguntar o que falta"),
    "hand_over": lambda: _("Repassar a uma pessoa"),
    "refuse": lambda: _("Dizer que não é deste console"),
}


def entries(run: Run) -> list[Entry]:
    """Oldest first."""
    return [_entry(row) for row in steps.of(run)]


def _entry(row: RunStep) -> Entry:
    took = wording.seconds(row.duration_ms) if row.duration_ms >= _SHORTEST else ""
    told = [_outcome(row), _planner(row), took, _used(row)]
    return Entry(
        time=localtime(row.created_at),
        text=_call(row),
        state=_DRAWN[row.outcome],
        sub=" · ".join(part for part in told if part),
    )


def _call(row: RunStep) -> str:
    given = row.arguments
    if not row.tool:
        return _("Plano que não pôde ser lido")
    if not given:
        return _("%(tool)s: o texto já foi apagado") % {"tool": _tool(row.tool)}
    if row.tool == "final_answer":
        return _ENDINGS[given["ending"]]()
    return f"{_tool(row.tool)}: {_short(_asked(row.tool, given))}"


def _tool(name: str) -> str:
    words = {
        "search_knowledge": _("Buscar nos runbooks"),
        "prepare_issue": _("Preparar uma issue"),
        "prepare_task": _("Preparar uma tarefa"),
        "final_answer": _("Terminar"),
    }
    return words[name]


def _asked(tool: str, given: Mapping[str, Any]) -> str:
    if tool == "search_knowledge":
        return str(given["query"])
    if tool == "prepare_issue":
        return f"{given['alias'] or '?'}: {given['title']}"
    said = {"template": given["template"] or "?", "hosts": ", ".join(given["limit"]) or "?"}
    return _("%(template)s em %(hosts)s") % said


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _outcome(row: RunStep) -> str:
    if row.outcome == StepOutcome.REFUSED:
        return _("recusado: %(why)s") % {"why": code_words(row.code)}
    if row.outcome == StepOutcome.INVALID:
        return _("não compreendido: %(why)s") % {"why": code_words(row.code)}
    level = coverage_words.level(row.coverage)[1] if row.coverage else ""
    return _("cobertura %(level)s") % {"level": level} if level else ""


def code_words(code: str) -> str:
    """Of a refusal, as its own page would head it."""
    return reasons.words(code) or reasons.refusal(code) or code.replace("_", " ")


def _planner(row: RunStep) -> str:
    if row.model_served:
        return _("modelo %(model)s") % {"model": row.model_served}
    return _("regras") if row.planner == "regras" else row.planner


def _used(row: RunStep) -> str:
    """Nothing where no model was asked: rules read no token and cost nothing."""
    if row.model_served == "" and row.cost == 0:
        return ""
    return f"{_tokens(row)}, {_cost(row.cost)}"


def _tokens(row: RunStep) -> str:
    if row.tokens_in is None or row.tokens_out is None:
        return _("tokens: não informado")
    language = get_language() or "pt-br"
    count = number_text(row.tokens_in + row.tokens_out, language=language)
    return _("%(count)s tokens") % {"count": count}


def _cost(amount: Decimal | None) -> str:
    if amount is None:
        return _("custo: não informado")
    return money_text(amount, language=get_language() or "pt-br")
