"""The OpenAPI description as lines a person reads: what /api/v1/docs draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opspilot.api import errors
from opspilot.errors import OpsPilotError, Text
from opspilot.resilience.shedding import BusyForAgentsError

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: str
    required: bool
    words: str


@dataclass(frozen=True, slots=True)
class Operation:
    id: str
    method: str
    address: str
    title: str
    words: str
    scope: str
    parameters: list[Field]
    body: list[Field]
    answer: list[Field]
    statuses: list[str]


@dataclass(frozen=True, slots=True)
class ProblemLine:
    code: str
    status: int
    words: Text


def operations(schema: Schema) -> list[Operation]:
    return [
        _operation(schema, address, method, found)
        for address, methods in schema["paths"].items()
        for method, found in methods.items()
    ]


def problems() -> list[ProblemLine]:
    """The door's own refusals; those of a kind of action come with the policy's words."""
    own = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type)
        and issubclass(kind, OpsPilotError)
        and kind.__module__ == errors.__name__
        and kind not in errors.OF_THE_PAGE
    ]
    raised: list[type[OpsPilotError]] = [*own, BusyForAgentsError]
    found = [ProblemLine(kind.code, kind.http_status, kind.what) for kind in raised]
    return sorted(found, key=lambda line: (line.status, line.code))


def _operation(schema: Schema, address: str, method: str, found: Schema) -> Operation:
    return Operation(
        id=found["operationId"],
        method=method.upper(),
        address=address,
        title=found["summary"],
        words=_plain(found["description"].partition("\n\n")[0]),
        scope=found["x-escopo"],
        parameters=[_parameter(item) for item in found["parameters"]],
        body=list(_fields(schema, _content(found.get("requestBody", {})))),
        answer=list(_fields(schema, _content(_good(found["responses"])))),
        statuses=[str(status) for status in sorted(found["responses"])],
    )


def _parameter(item: Schema) -> Field:
    name = f"{item['name']} ({item['in']})"
    return Field(name, _type(item["schema"]), item["required"], _plain(item.get("description", "")))


def _good(responses: Mapping[int, Schema]) -> Schema:
    return responses[min(responses)]


def _content(holder: Schema) -> Schema:
    content = holder.get("content", {})
    found: Schema = content.get("application/json", {}).get("schema", {})
    one: Schema = next((option for option in found.get("oneOf", []) if "$ref" in option), found)
    return one


def _fields(schema: Schema, shape: Schema) -> Iterator[Field]:
    """The fields of an object, those of its parts under them with a dot."""
    shape = _resolved(schema, shape)
    required = shape.get("required", [])
    for name, inner in shape.get("properties", {}).items():
        yield Field(name, _type(inner), name in required, _plain(inner.get("description", "")))
        for part in _fields(schema, _part(schema, inner)):
            yield Field(f"{name}.{part.name}", part.type, part.required, part.words)


def _part(schema: Schema, inner: Schema) -> Schema:
    """What an object, a list of objects or an object that may be absent is made of."""
    options: Iterable[Schema] = [inner, inner.get("items", {}), *inner.get("anyOf", [])]
    found = next((option for option in options if "$ref" in option), {})
    return _resolved(schema, found)


def _resolved(schema: Schema, shape: Schema) -> Schema:
    if "$ref" not in shape:
        return shape
    found: Schema = schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    return found


def _plain(words: str) -> str:
    """Without the marks of code, which a page draws otherwise."""
    return words.replace("`", "")


def _type(shape: Schema) -> str:
    if "anyOf" in shape:
        return " | ".join(_type(option) for option in shape["anyOf"])
    if "$ref" in shape:
        return str(shape["$ref"].rpartition("/")[2])
    if "enum" in shape:
        return " | ".join(map(str, shape["enum"]))
    return str(shape.get("format") or shape.get("type", "object"))
