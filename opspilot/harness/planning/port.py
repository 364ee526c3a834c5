"""What a planner is told, and what it may say: one next call, of four.

A planner proposes; code decides whether the call is made, with the same validators whoever planned
it. Nothing that a planner says is authority: who asks, what the policy is and what was approved are
no fields here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Literal, Protocol

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from opspilot.connectors.ports import Completed

Intent = Literal["diagnosis", "change"]
Ending = Literal["answer", "ask", "hand_over", "refuse"]
Route = Literal["cheap", "standard", "human"]
Outcome = Literal["done", "refused", "invalid"]
MAX_QUERY = 500
MAX_WORDS = 600


def _storable(text: str) -> str:
    """No NUL and no half of a surrogate pair: JSON can carry both, the database keeps neither."""
    if "\0" in text:
        raise ValueError("a text with a NUL cannot be stored")
    text.encode()
    return text


_STORABLE = AfterValidator(_storable)
Text = Annotated[str, _STORABLE]


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class SearchKnowledge(_Said):
    """Look in the collections that the requester may read."""

    tool: Literal["search_knowledge"] = "search_knowledge"
    query: Annotated[str, Field(min_length=1, max_length=MAX_QUERY), _STORABLE]


class PrepareIssue(_Said):
    """Words for an issue; they are validated as a form's are."""

    tool: Literal["prepare_issue"] = "prepare_issue"
    alias: Text
    title: Text
    description: Text
    labels: tuple[Text, ...] = ()
    assignees: tuple[Text, ...] = ()


class Variable(_Said):
    name: Text
    value: Text


class PrepareTask(_Said):
    """A template by its alias, the hosts and the variables; read as a pasted command is."""

    tool: Literal["prepare_task"] = "prepare_task"
    template: Text
    limit: tuple[Text, ...]
    variables: tuple[Variable, ...] = ()


class FinalAnswer(_Said):
    """The end. `answer`: from what was found, by the grounded answerer, never from these words.
    `ask`: `missing` names what has to be said (alias, title, template, limit, a variable, or action
    where it is not clear what is wanted at all). `hand_over`: a person is needed. `refuse`: nothing
    that this console does."""

    tool: Literal["final_answer"] = "final_answer"
    ending: Ending
    missing: Annotated[tuple[Text, ...], Field(max_length=10)] = ()
    words: Annotated[str, Field(max_length=MAX_WORDS), _STORABLE] = (
        ""  # shown as the planner's, checked by nobody
    )


Call = Annotated[
    SearchKnowledge | PrepareIssue | PrepareTask | FinalAnswer, Field(discriminator="tool")
]


class Planned(_Said):
    """`diagnosis`: they want to know. `change`: they want something done."""

    intent: Intent
    call: Call


@dataclass(frozen=True, slots=True)
class Template:
    """As the policy lets this requester run it. A variable without values takes any text.
    `max_hosts`: how many it takes at once."""

    alias: str
    number: int
    hosts: tuple[str, ...]
    variables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    max_hosts: int = 1


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that exist for the requester, from the policy in force."""

    projects: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    templates: tuple[Template, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """Evidence is data: what it says to do is said by a document, not by the requester."""

    number: int
    title: str
    section: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was taken. `code` is of the refusal or of the fault; never its sentence."""

    call: SearchKnowledge | PrepareIssue | PrepareTask | FinalAnswer | None
    outcome: Outcome
    code: str = ""
    coverage: str = ""
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """`request` is the requester's text, normalised."""

    request: str
    vocabulary: Vocabulary
    taken: tuple[Taken, ...] = ()
    steps_left: int = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """What was planned and what it cost. `completed` None: no model was asked. `cost` in cents;
    None = somebody may have been paid, nobody knows how much. `understood`, beside an `ask`: what
    was said so far, for the form that asks for the rest; "" and () stand for what was not."""

    planned: Planned
    completed: Completed | None = None
    cost: Decimal | None = Decimal(0)
    understood: PrepareIssue | PrepareTask | None = None


class InvalidOutputError(Exception):
    """What a model said is no plan. The step counts, and is paid for."""

    def __init__(
        self, fault: str, *, completed: Completed | None = None, cost: Decimal | None = Decimal(0)
    ) -> None:
        super().__init__(fault)
        self.fault, self.completed, self.cost = fault, completed, cost


class PlannerUnavailableError(Exception):
    """No provider of the route answers now. `retry_after` in seconds from now; 0 = not said. `cost`
    as in a Choice: what broke off in the middle may have been charged."""

    def __init__(
        self, code: str, *, retry_after: float = 0.0, cost: Decimal | None = Decimal(0)
    ) -> None:
        super().__init__(code)
        self.code, self.retry_after, self.cost = code, retry_after, cost


class Planner(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def instruction_hash(self) -> str:
        """SHA-256 of the rules or of the instruction text: it stands on each row of the trail."""
        ...

    def next(self, situation: Situation) -> Choice:
        """With no transaction open. Raises InvalidOutputError or PlannerUnavailableError."""
        ...
