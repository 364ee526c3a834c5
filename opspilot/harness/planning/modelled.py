"""The planner that asks a model: what it is told, the shape it must answer in, what is checked again.

Nothing rests on the model's keeping to its instruction. What it says is one call of the closed list or
it is nothing, and whether that call is made is decided by who is given it.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Literal

import structlog
from django.utils.translation import gettext as _
from pydantic import ValidationError

from opspilot.connectors import readers
from opspilot.connectors.errors import OutputError
from opspilot.connectors.ports import Asked, Completed
from opspilot.harness.asking import Asking, Payer, SilentError
from opspilot.harness.planning import routing
from opspilot.harness.planning.port import (
    Choice,
    FinalAnswer,
    InvalidOutputError,
    Passage,
    Planned,
    PlannerUnavailableError,
    SearchKnowledge,
    Situation,
    Taken,
    Template,
    Vocabulary,
)
from opspilot.harness.planning.rules.planner import RulePlanner
from opspilot.harness.planning.strict_schema import strict_schema

log = structlog.get_logger(__name__)
VERSION = "planejador-1"
LONGEST = 6_000  # characters of a request that a model is sent
MOST_PASSAGES, LONGEST_PASSAGE = 8, 4_000
SCHEMA: Mapping[str, Any] = strict_schema(Planned)
_HIDDEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
_ASKED_FOR = frozenset(
    {"alias", "title", "description", "labels", "assignees", "template", "limit", "action"}
)

Fault = Literal[
    "refusal",
    "truncated",
    "other_model",
    "not_the_shape",
    "hidden_signs",
    "asks_for_nothing",
    "asks_for_the_unknown",
]


@cache
def instruction() -> str:
    file = Path(__file__).parent / "instructions" / f"{VERSION}.md"
    return file.read_text(encoding="utf-8")


@cache
def _instruction_hash() -> str:
    return hashlib.sha256(instruction().encode()).hexdigest()


class ModelPlanner:
    """Asks the configured providers in the order of the request's route. No rule stands in for them."""

    name = "modelo"

    def __init__(self, payer: Payer) -> None:
        self._payer = payer

    @property
    def instruction_hash(self) -> str:
        """SHA-256 of the text as it is sent."""
        return _instruction_hash()

    def next(self, situation: Situation) -> Choice:
        """Raises InvalidOutputError, PlannerUnavailableError, and LateRunError where the run is
        another worker's by now."""
        read = RulePlanner().next(replace(situation, taken=()))
        by_rules = read.planned
        if _wants_a_person(by_rules):
            return read
        is_plain = isinstance(by_rules.call, SearchKnowledge) and by_rules.intent == "diagnosis"
        route = routing.route(situation.request, is_plain=is_plain)
        if route == "human":
            return Choice(_handed_over(by_rules))
        asking = Asking(self._payer, _asked(situation))
        try:
            completed = asking.first_answer(routing.in_order(readers.completers(), route))
        except OutputError as exc:
            raise _invalid(exc.reason, exc.completed, asking.cost) from exc
        except SilentError as exc:
            raise PlannerUnavailableError(
                exc.code, retry_after=exc.retry_after, cost=asking.cost
            ) from exc
        return _checked(completed, asking.cost, situation.vocabulary)


def _wants_a_person(by_rules: Planned) -> bool:
    return isinstance(by_rules.call, FinalAnswer) and by_rules.call.ending == "hand_over"


def _handed_over(by_rules: Planned) -> Planned:
    words = _("O pedido traz um segredo ou um dado pessoal: nenhum modelo o leu.")
    return Planned(intent=by_rules.intent, call=FinalAnswer(ending="hand_over", words=words))


def _asked(situation: Situation) -> Asked:
    return Asked(instruction=instruction(), data=data(situation), name="plano", schema=SCHEMA)


def data(situation: Situation) -> str:
    """The message: JSON, so that no text can end its own field. Of passages only the last search's."""
    last = next((n for n, one in reversed(list(enumerate(situation.taken))) if one.passages), None)
    message = {
        "request": situation.request[:LONGEST],
        "vocabulary": _vocabulary(situation.vocabulary),
        "taken": [_taken(one, shown=n == last) for n, one in enumerate(situation.taken)],
        "steps_left": situation.steps_left,
    }
    return json.dumps(message, ensure_ascii=False)


def _vocabulary(known: Vocabulary) -> dict[str, Any]:
    return {
        "projects": list(known.projects),
        "labels": list(known.labels),
        "assignees": list(known.assignees),
        "templates": [_template(one) for one in known.templates],
    }


def _template(one: Template) -> dict[str, Any]:
    return {
        "alias": one.alias,
        "hosts": list(one.hosts),
        "variables": {name: list(values) for name, values in one.variables.items()},
        "required": sorted(one.required),
    }


def _taken(one: Taken, *, shown: bool) -> dict[str, Any]:
    return {
        "call": one.call.model_dump(mode="json") if one.call else None,
        "outcome": one.outcome,
        "code": one.code,
        "coverage": one.coverage,
        "passages": _passages(one.passages) if shown else [],
    }


def _passages(found: Sequence[Passage]) -> list[dict[str, Any]]:
    return [
        {
            "id": one.number,
            "title": one.title,
            "section": list(one.section),
            "text": one.text[:LONGEST_PASSAGE],
        }
        for one in found[:MOST_PASSAGES]
    ]


def _checked(completed: Completed, cost: Decimal | None, known: Vocabulary) -> Choice:
    try:
        planned = Planned.model_validate_json(completed.content)
    except ValidationError as exc:
        raise _invalid("not_the_shape", completed, cost) from exc
    fault = _fault(planned, known)
    if fault:
        raise _invalid(fault, completed, cost)
    return Choice(planned, completed, cost)


def _fault(planned: Planned, known: Vocabulary) -> Fault | None:
    """Of what is shown as it stands, and of what a person would be asked for."""
    call = planned.call
    if not isinstance(call, FinalAnswer):
        return None
    if any(unicodedata.category(sign) in _HIDDEN for sign in call.words):
        return "hidden_signs"
    if call.ending == "ask" and not call.missing:
        return "asks_for_nothing"
    variables = {name for one in known.templates for name in one.variables}
    return None if _ASKED_FOR.union(variables) >= set(call.missing) else "asks_for_the_unknown"


def _invalid(fault: Fault, completed: Completed, cost: Decimal | None) -> InvalidOutputError:
    log.info("what a model planned is no plan", fault=fault)
    return InvalidOutputError(fault, completed=completed, cost=cost)
