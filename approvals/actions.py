"""The typed command a proposal starts from, and the frozen action it becomes.

Client JSON grants nothing: unknown fields are refused, ids come from the policy (I7).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from approvals import links, neutral
from approvals.agents.external_command import ExternalCommand
from approvals.tasks.task_command import TaskCommand
from opspilot.errors import InvalidInputError

ISSUE_CREATED = "issue.criada"
# About another proposal's effect; each is a proposal of its own, and decided like any other.
ISSUE_CLOSED = "issue.fechada"
SENT_AGAIN = "envio.repetido"
MAX_TITLE = 255
MAX_DESCRIPTION = 20_000
_LABELS = {
    "alias": _("projeto"),
    "title": _("título"),
    "description": _("descrição"),
    "labels": _("etiquetas"),
    "assignees": _("responsáveis"),
}


class InvalidCommandError(InvalidInputError):
    """A field is missing, unknown, too long or not of its kind; `fields` names them."""

    code = "comando_invalido"
    title = _("O comando não pode ser aceito")
    what = _("O comando tem campos que faltam, sobram ou não podem ser aceitos.")
    next_step = _("Corrija os campos indicados e revise de novo.")


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """The agent that proposes, as it was at that time. `owner` is a person's subject, `barred` are
    those of everybody else who stands behind it and so decides nothing it asks for."""

    slug: str
    owner: str
    model: str = ""
    instruction_hash: str = ""
    barred: frozenset[str] = frozenset()


class IssueCommand(BaseModel):
    """What a person asks for: an alias and words, never an id, a tenant or a permission."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)

    alias: Annotated[str, Field(min_length=1, max_length=120)]
    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE)]
    description: Annotated[str, Field(min_length=1, max_length=MAX_DESCRIPTION)]
    labels: tuple[Annotated[str, Field(min_length=1, max_length=255)], ...] = ()
    assignees: tuple[Annotated[str, Field(min_length=1, max_length=120)], ...] = ()

    @field_validator("alias")
    @classmethod
    def _alias(cls, value: str) -> str:
        return value.strip().lower()

    @field_validator("title")
    @classmethod
    def _title(cls, value: str) -> str:
        return _within(neutral.line(value), MAX_TITLE)

    @field_validator("description")
    @classmethod
    def _description(cls, value: str) -> str:
        return _within(neutral.description(value), MAX_DESCRIPTION)

    @field_validator("labels", "assignees")
    @classmethod
    def _set(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted({item.strip() for item in value}))


class ClosingCommand(IssueCommand):
    """To close an issue again. It is never parsed: only a stored action is read back as one."""


Command = IssueCommand | TaskCommand | ExternalCommand


def parse(data: dict[str, Any]) -> IssueCommand:
    """Read a command from a form or an API body; raise InvalidCommandError naming the fields."""
    with _refusals():
        return IssueCommand.model_validate(data)


def parse_json(text: str) -> IssueCommand:
    """The same from JSON: what a run keeps of a command that was filled in."""
    with _refusals():
        return IssueCommand.model_validate_json(text)


def unlinked(command: IssueCommand, hosts: Collection[str]) -> IssueCommand:
    """The same with no link but to these hosts; InvalidCommandError when it gets too long by it."""
    words = {name: links.inert(getattr(command, name), hosts) for name in ("title", "description")}
    with _refusals():
        return IssueCommand.model_validate({**command.model_dump(), **words})


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except ValidationError as exc:
        fields = sorted({str(error["loc"][0]) for error in exc.errors() if error["loc"]})
        words = ", ".join(str(_LABELS.get(field, field)) for field in fields)
        sentence = _("Confira: %(fields)s.") % {"fields": words}
        raise InvalidCommandError(sentence, fields=fields) from None


def _within(value: str, limit: int) -> str:
    """Neutral text is longer than what was typed: its length is what counts."""
    if not 0 < len(value) <= limit:
        raise ValueError("nothing is left of the text, or too much of it")
    return value
