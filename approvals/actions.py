"""The typed command a proposal starts from, and the frozen action it becomes.

Client JSON grants nothing: unknown fields are refused, ids come from the policy (I7).
"""

from __future__ import annotations

from typing import Annotated, Any

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from approvals import neutral
from opspilot.errors import InvalidInputError

ISSUE_CREATED = "issue.criada"
MAX_DESCRIPTION = 20_000


class InvalidCommandError(InvalidInputError):
    """A field is missing, unknown, too long or not of its kind; `fields` names them."""

    code = "comando_invalido"
    title = _("O comando não pode ser aceito")
    what = _("O comando tem campos que faltam, sobram ou não podem ser aceitos.")
    next_step = _("Volte, corrija os campos indicados e revise de novo.")


class IssueCommand(BaseModel):
    """What a person asks for: an alias and words, never an id, a tenant or a permission."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    alias: Annotated[str, Field(min_length=1, max_length=120)]
    title: Annotated[str, Field(min_length=1, max_length=255)]
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
        return _not_empty(neutral.line(value))

    @field_validator("description")
    @classmethod
    def _description(cls, value: str) -> str:
        return _not_empty(neutral.description(value))

    @field_validator("labels", "assignees")
    @classmethod
    def _set(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted({item.strip() for item in value}))


def parse(data: dict[str, Any]) -> IssueCommand:
    """Read a command from a form or an API body; raise InvalidCommandError naming the fields."""
    try:
        return IssueCommand.model_validate(data)
    except ValidationError as exc:
        fields = sorted({str(error["loc"][0]) for error in exc.errors() if error["loc"]})
        sentence = _("Confira: %(fields)s.") % {"fields": ", ".join(fields)}
        raise InvalidCommandError(sentence, fields=fields) from exc


def _not_empty(value: str) -> str:
    if not value:
        raise ValueError("nothing is left of the text")
    return value
