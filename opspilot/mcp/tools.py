"""The tools of the agents' second entrance: four, closed, in code. None decides.

Each is an operation of the API under the name that the company's agents know it by; its words and its
fields are the operation's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from opspilot.api.action_contract import ActionIn
from opspilot.api.contract import ProposalIn
from opspilot.api.description import schema
from opspilot.api.errors import InvalidFieldsError
from opspilot.api.grounding_contract import GroundingIn
from opspilot.api.routes import CONSULT, PREFIX

KEY = "chave_idempotencia"
Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """An operation as the door takes it. `query` and `body` are the agent's, unread."""

    method: str
    address: str
    query: Mapping[str, str] | None = None
    body: Arguments | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """`operation` is the one it stands for; `call` may raise InvalidFieldsError."""

    name: str
    operation: str
    fields: Callable[[], dict[str, Any]]
    call: Callable[[Arguments], Call]
    reads_only: bool = False

    @property
    def title(self) -> str:
        return str(_described(self.operation)["summary"])

    @property
    def words(self) -> str:
        return str(_described(self.operation)["description"])

    def schema(self, *, slug: str) -> dict[str, Any]:
        """Of its arguments, for this agent: whose name it is to write is no riddle."""
        found = self.fields()
        context = found.get("$defs", {}).get("ContextIn")
        if context is not None:
            context["properties"]["agente_id"]["enum"] = [slug]
        return found


def _consult(given: Arguments) -> Call:
    return Call("POST", CONSULT, body=given)


def _propose(given: Arguments) -> Call:
    body = {name: value for name, value in given.items() if name != KEY}
    key = str(given[KEY]) if KEY in given else None
    return Call("POST", f"{PREFIX}aprovacoes", body=body, key=key)


def _state(given: Arguments) -> Call:
    query = {name: str(value) for name, value in given.items() if name != "ref"}
    return Call("GET", f"{PREFIX}aprovacoes/{_ref(given)}", query=query)


def _record(given: Arguments) -> Call:
    return Call("POST", f"{PREFIX}acoes", body=given)


def _ref(given: Arguments) -> UUID:
    if "ref" not in given:
        raise InvalidFieldsError([{"campo": "ref", "motivo": "missing"}])
    try:
        return UUID(str(given["ref"]))
    except ValueError as exc:
        raise InvalidFieldsError([{"campo": "ref", "motivo": "uuid_parsing"}]) from exc


def _proposal_fields() -> dict[str, Any]:
    found = ProposalIn.model_json_schema()
    key = {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "description": "O mesmo pedido com a mesma chave, por 24 horas, é feito uma vez.",
    }
    return found | {"properties": found["properties"] | {KEY: key}}


def _state_fields() -> dict[str, Any]:
    parameters = _described("ler")["parameters"]
    return {
        "type": "object",
        "properties": {one["name"]: one["schema"] for one in parameters},
        "required": [one["name"] for one in parameters if one["required"]],
        "additionalProperties": False,
    }


@cache
def _described(operation: str) -> dict[str, Any]:
    found = (each for methods in schema()["paths"].values() for each in methods.values())
    return next(each for each in found if each["operationId"] == operation)


TOOLS = (
    Tool("consultar_grounding", "consultar_grounding", GroundingIn.model_json_schema, _consult),
    Tool("propor", "propor", _proposal_fields, _propose),
    Tool("estado_da_proposta", "ler", _state_fields, _state, reads_only=True),
    Tool("registrar_acao", "registrar", ActionIn.model_json_schema, _record),
)
BY_NAME = {tool.name: tool for tool in TOOLS}
