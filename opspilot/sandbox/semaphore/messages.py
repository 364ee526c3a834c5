"""Requests and answers, free of sockets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Request:
    """`target` is path and query as sent; `headers` has lower-case names."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    target: str
    headers: Mapping[str, str]
    body: bytes

    def first(self, name: str) -> str | None:
        return next((value for key, value in self.query if key == name), None)


@dataclass(frozen=True)
class Answer:
    """`stored_id` names the task a write touched; it goes to the log, not to the client."""

    status: int
    body: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    stored_id: int | None = None


class RefusedError(Exception):
    """The request ends here with this answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def json_answer(
    status: int,
    value: Any,
    *,
    headers: Mapping[str, str] | None = None,
    stored_id: int | None = None,
) -> Answer:
    body = json.dumps(value, ensure_ascii=False).encode()
    return Answer(status, body, headers=headers or {}, stored_id=stored_id)


def list_answer(rows: list[Any], *, headers: Mapping[str, str] | None = None) -> Answer:
    """The remote writes an empty list as `null`."""
    return json_answer(200, rows or None, headers=headers)


def text_answer(status: int, text: str) -> Answer:
    return Answer(status, text.encode(), "text/plain; charset=utf-8")


def html_answer(status: int, text: str, *, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(status, text.encode(), "text/html; charset=utf-8", headers or {})


def refused(status: int, error: str = "") -> RefusedError:
    """Most refusals of the remote have no body at all."""
    return RefusedError(json_answer(status, {"error": error}) if error else Answer(status))
