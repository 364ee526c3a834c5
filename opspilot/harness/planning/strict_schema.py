"""A pydantic model as the JSON schema that strict structured output takes.

Every property is required, none is added, a choice between objects is `anyOf`, and nothing is said
that servers read differently: no lengths, no patterns, no defaults, no references. Lengths are checked
when the answer comes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    whole = model.model_json_schema()
    return _strict(whole, whole.get("$defs", {}))


def _strict(part: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in part:
        return _strict(known[part["$ref"].rpartition("/")[2]], known)
    if choices := part.get("oneOf") or part.get("anyOf"):
        return {"anyOf": [_strict(one, known) for one in choices]}
    if "const" in part:
        return {"type": "string", "enum": [part["const"]]}
    if part["type"] == "object":
        properties = {name: _strict(one, known) for name, one in part["properties"].items()}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    if part["type"] == "array":
        return {"type": "array", "items": _strict(part["items"], known)}
    return {name: part[name] for name in ("type", "enum") if name in part}
