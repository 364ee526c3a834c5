"""Typed reading of query strings and bodies, with the remote's 400 sentences."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import parse_qsl

from opspilot.sandbox.gitlab.messages import RefusedError, Request, bad_parameter, json_answer

Fields = dict[str, Any]

TITLE_LIMIT = 255
TEXT_LIMIT = 1_048_576
_WORDS = {"true": True, "1": True, "false": False, "0": False}


def body_fields(request: Request) -> Fields:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not request.body:
        return {}
    if kind == "application/x-www-form-urlencoded":
        return _form(request.body)
    if kind != "application/json":
        message = f"The provided content-type '{kind}' is not supported."
        raise RefusedError(json_answer(415, {"error": message}))
    return _json(request.body)


def text(fields: Fields, name: str, *, limit: int) -> str | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or "\0" in value or _lone_surrogate(value):
        raise bad_parameter(f"{name} is invalid")
    if len(value) > limit:
        sentence = f"is too long (maximum is {limit} characters)"
        raise RefusedError(json_answer(400, {"message": {name: [sentence]}}))
    return value


def titles(fields: Fields, name: str) -> list[str] | None:
    """Comma-joined text or a list of texts; a title holding a comma cannot be sent."""
    value = fields.get(name)
    if value is None:
        return None
    parts = value if isinstance(value, list) else [value]
    found: list[str] = []
    for part in parts:
        joined = text({name: part}, name, limit=TEXT_LIMIT) or ""
        found += [title.strip() for title in joined.split(",") if title.strip()]
    return list(dict.fromkeys(found))


def ids(fields: Fields, name: str) -> list[int] | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, list):
        raise bad_parameter(f"{name} is invalid")
    return list(dict.fromkeys(_integer(item, name) for item in value))


def integer(fields: Fields, name: str) -> int | None:
    value = fields.get(name)
    return None if value is None else _integer(value, name)


def flag(fields: Fields, name: str) -> bool | None:
    value = fields.get(name)
    if value is None or isinstance(value, bool):
        return value
    known = _WORDS.get(value.lower()) if isinstance(value, str) else None
    if known is None:
        raise bad_parameter(f"{name} is invalid")
    return known


def choice(value: object, name: str, allowed: tuple[str, ...]) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in allowed:
        raise bad_parameter(f"{name} does not have a valid value")
    return value


def day(value: str | None) -> str | None:
    """An ISO date, or None: the remote drops what it cannot read as a date."""
    try:
        return date.fromisoformat(value or "").isoformat()
    except ValueError:
        return None


def moment(request: Request, name: str) -> datetime | None:
    value = request.first(name)
    if value is None:
        return None
    try:
        # A raw "+" in a query arrives as a blank.
        read = datetime.fromisoformat(re.sub(r" (?=\d\d:?\d\d$)", "+", value).upper())
    except ValueError:
        raise bad_parameter(f"{name} is invalid") from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def positive(request: Request, name: str, default: int) -> int:
    value = request.first(name)
    if value is None:
        return default
    number = _integer(value, name)
    if number < 1:
        raise bad_parameter(f"{name} does not have a valid value")
    return number


def path_integer(value: str, name: str) -> int:
    return _integer(value, name)


def query_integers(request: Request, name: str) -> list[int]:
    return [_integer(value, name) for value in request.every(name)]


def _integer(value: object, name: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 30:
        return int(value)
    raise bad_parameter(f"{name} is invalid")


def _json(body: bytes) -> Fields:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise bad_parameter("message body does not match declared format") from None
    if not isinstance(value, dict):
        raise bad_parameter("message body does not match declared format")
    return value


def _form(body: bytes) -> Fields:
    fields: Fields = {}
    for name, value in parse_qsl(body.decode(errors="replace"), keep_blank_values=True):
        if name.endswith("[]"):
            fields.setdefault(name[:-2], []).append(value)
        else:
            fields[name] = value
    return fields


def _lone_surrogate(value: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in value)
