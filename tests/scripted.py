"""Planners that say what they were told to say: no model, no rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal

from opspilot.connectors.ports import Completed
from opspilot.harness.planning import choosing
from opspilot.harness.planning.port import (
    Call,
    Choice,
    Ending,
    FinalAnswer,
    Planned,
    PrepareIssue,
    PrepareTask,
    SearchKnowledge,
    Situation,
    Variable,
)

MODEL = Completed("", "planner-asked", "planner-served", 700, 30)
COST = Decimal("0.25")
Said = Call | Choice | Exception | Callable[[Situation], "Said"]


class Scripted:
    """The next of its sayings at each step; `seen` are the situations it was asked in."""

    name = "roteiro"
    instruction_hash = "5" * 64

    def __init__(self, *said: Said) -> None:
        self._said = list(said)
        self.seen: list[Situation] = []

    def next(self, situation: Situation) -> Choice:
        self.seen.append(situation)
        said = self._said.pop(0)
        while callable(said):
            said = said(situation)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Choice) else a_choice(said)


def a_choice(call: Call, *, paid: bool = False) -> Choice:
    planned = Planned(intent="change", call=call)
    return Choice(planned, MODEL, COST) if paid else Choice(planned)


@contextmanager
def planning(*said: Said) -> Iterator[Scripted]:
    planner = Scripted(*said)
    with choosing.standing_in(planner):
        yield planner


def search(query: str = "restart the consumer") -> SearchKnowledge:
    return SearchKnowledge(query=query)


def final(ending: Ending, *missing: str, words: str = "") -> FinalAnswer:
    return FinalAnswer(ending=ending, missing=missing, words=words)


def an_issue(alias: str = "infra", **changes: object) -> PrepareIssue:
    words: dict[str, object] = {
        "alias": alias,
        "title": "Reiniciar o consumidor",
        "description": "A fila parou.",
        "labels": ("incidente",),
    }
    return PrepareIssue.model_validate(words | changes)


def a_task(
    template: str = "servico-acao", limit: tuple[str, ...] = ("srv-pag-02",), **values: str
) -> PrepareTask:
    given = values or {"server_name": "liq-worker-3", "server_action": "restart"}
    variables = tuple(Variable(name=name, value=value) for name, value in given.items())
    return PrepareTask(template=template, limit=limit, variables=variables)
