"""The OpenAPI description: what the routes say of themselves, and what the door adds to each."""

from __future__ import annotations

from functools import cache
from typing import Any

from opspilot.api import problems
from opspilot.api.action_contract import ActionIn
from opspilot.api.contract import Problem
from opspilot.api.routes import CONSULT, PREFIX, api

_ANY = (400, 401, 403, 404, 429, 500)
_OF_A_POST = (409, 413, 415, 422)
_OF_A_GET = (422,)
WORDS = (
    "A porta dos agentes da empresa. Um token propõe, lê e consome o que foi aprovado; nenhum "
    "decide. Toda recusa é application/problem+json (RFC 9457) com um `codigo` estável."
)
_KEY: dict[str, Any] = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "De 1 a 200 caracteres visíveis. O mesmo pedido com a mesma chave, por 24 "
    "horas, é feito uma vez e respondido de novo igual, com Idempotency-Replayed: true.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}


@cache
def schema() -> dict[str, Any]:
    """The whole description, made once. It holds nothing of any company."""
    found = dict(api.get_openapi_schema(path_prefix=PREFIX))
    found["info"]["description"] = WORDS
    found["servers"] = [{"url": "/"}]
    found["components"]["schemas"]["Problem"] = _problem()
    found["components"]["schemas"] |= _action()
    for address, operations in found["paths"].items():
        for method, operation in operations.items():
            _complete(operation, method, takes_a_key=address != CONSULT)
    return found


def _complete(operation: dict[str, Any], method: str, *, takes_a_key: bool) -> None:
    operation["description"] += f"\n\nEscopo: `{operation['x-escopo']}`."
    if method == "post" and takes_a_key:
        operation["parameters"] = [*operation["parameters"], _KEY]
    for status in (*_ANY, *(_OF_A_POST if method == "post" else _OF_A_GET)):
        operation["responses"][status] = problems.described(status)


def _action() -> dict[str, Any]:
    found = ActionIn.model_json_schema(ref_template="#/components/schemas/{model}")
    parts: dict[str, Any] = found.pop("$defs", {})
    return parts | {"ActionIn": found}


def _problem() -> dict[str, Any]:
    found = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    definitions = found.pop("$defs")
    found["properties"]["campos"]["items"] = definitions["FieldFault"]
    return found
