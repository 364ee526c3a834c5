"""Requests and answers, free of sockets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from opspilot.sandbox.gitlab.model import Trace


@dataclass(frozen=True)
class Request:
    """`target` is path and query as sent; `headers` has lower-case names.

    `list_delay` and `mishaps` were ordered for the creation this request may be.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    target: str
    headers: Mapping[str, str]
    body: bytes
    list_delay: float = 0.0
    mishaps: frozenset[str] = frozenset()

    def first(self, name: str) -> str | None:
        return next((value for key, value in self.query if key == name), None)

    def every(self, name: str) -> list[str]:
        return [value for key, value in self.query if key == name]


@dataclass(frozen=True)
class Answer:
    """`stored_iid` names the issue a write touched, `traces` what else the write did.

    Both go to the log, not to the client.
    """

    status: int
    body: bytes
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    stored_iid: int | None = None
    traces: tuple[Trace, ...] = ()


class RefusedError(Exception):
    """The request ends here with this answer; nothing was stored."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def json_answer(
    status: int,
    value: Any,
    *,
    headers: Mapping[str, str] | None = None,
    stored_iid: int | None = None,
    traces: tuple[Trace, ...] = (),
) -> Answer:
    body = json.dumps(value, ensure_ascii=False).encode()
    return Answer(status, body, headers=headers or {}, stored_iid=stored_iid, traces=traces)


def text_answer(status: int, text: str, *, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(status, text.encode(), "text/plain; charset=utf-8", headers or {})


def html_answer(status: int, text: str, *, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(status, text.encode(), "text/html; charset=utf-8", headers or {})


def refused(status: int, message: object) -> RefusedError:
    """The remote's usual shape: a sentence, or the model's faults, under `message`."""
    return RefusedError(json_answer(status, {"message": message}))


def bad_parameter(sentence: str) -> RefusedError:
    return RefusedError(json_answer(400, {"error": sentence}))
