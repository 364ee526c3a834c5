"""The only shape of a request to start a task that leaves this machine.

The remote ignores what it does not know, so a limit that is misspelt would be no limit: whatever
is not exactly this shape is refused here, and nothing is sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from opspilot.connectors.tasks import is_foreign

MAX_MESSAGE = 250  # the remote's column
# One name. Whatever Ansible reads as a pattern has a sign that is not in here.
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?")
_RESERVED = frozenset({"all", "ungrouped", "localhost"})
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
_TEMPLATE = ("{{", "{%", "{#")  # Ansible evaluates it on the server, lookups and commands included


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class Params(_Strict):
    limit: Annotated[list[str], Field(min_length=1, max_length=20)]

    @field_validator("limit")
    @classmethod
    def _are_hosts(cls, limit: list[str]) -> list[str]:
        odd = [host for host in limit if not _HOST.fullmatch(host) or host in _RESERVED]
        if odd or len(set(limit)) < len(limit):
            raise ValueError("the limit is a list of different host names")
        return limit


class TaskBody(_Strict):
    """Both places of the limit are filled, for either rule; they must say the same."""

    template_id: Annotated[int, Field(ge=1, lt=2**31)]
    params: Params
    limit: str
    environment: str = "{}"
    message: Annotated[str, Field(pattern=rf"^[a-z0-9-]{{1,{MAX_MESSAGE}}}$")]

    @field_validator("environment")
    @classmethod
    def _is_an_object_of_plain_values(cls, text: str) -> str:
        value = json.loads(text)
        if not isinstance(value, dict):
            raise ValueError("the environment is not an object")
        for name, given in value.items():
            _check_variable(name, given)
        return text

    @model_validator(mode="after")
    def _says_the_same_twice(self) -> Self:
        if self.limit != ",".join(self.params.limit):
            raise ValueError("the two places of the limit differ")
        return self


def check(body: Mapping[str, Any]) -> None:
    """ValueError for what must not be sent; the values are not in its text."""
    TaskBody.model_validate(dict(body))


def _check_variable(name: str, given: object) -> None:
    if not _NAME.fullmatch(name) or is_foreign(name):
        raise ValueError("a variable has a name that is not a variable's")
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise ValueError("a variable is text or a whole number")
    if isinstance(given, str) and any(sign in given for sign in _TEMPLATE):
        raise ValueError("a variable would be evaluated by Ansible")
