"""No planner says a text that the database could not keep: it is no plan, and nothing breaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from opspilot.connectors.ports import Completed
from opspilot.harness.planning import modelled
from opspilot.harness.planning.port import Call, InvalidOutputError, Vocabulary

CALLS: TypeAdapter[Call] = TypeAdapter(Call)
WHOLE: list[dict[str, Any]] = [
    {"tool": "search_knowledge", "query": "q"},
    {
        "tool": "prepare_issue",
        "alias": "a",
        "title": "t",
        "description": "d",
        "labels": ["l"],
        "assignees": ["x"],
    },
    {
        "tool": "prepare_task",
        "template": "t",
        "limit": ["h"],
        "variables": [{"name": "n", "value": "v"}],
    },
    {"tool": "final_answer", "ending": "ask", "missing": ["m"], "words": "w"},
]


def spoiled(part: Any) -> Iterator[Any]:
    """The part once for each text in it, with a NUL in that text."""
    if isinstance(part, str):
        yield part + "\0"
    inside = dict(enumerate(part)) if isinstance(part, list) else part
    for key, value in inside.items() if isinstance(inside, dict) else ():
        if key in ("tool", "ending"):
            continue
        for bad in spoiled(value):
            copy = part.copy()
            copy[key] = bad
            yield copy


BAD = [bad for call in WHOLE for bad in spoiled(call)]


@pytest.mark.parametrize("call", WHOLE)
def test_a_call_with_plain_texts_is_read(call: dict[str, Any]) -> None:
    assert CALLS.validate_json(json.dumps(call)).tool == call["tool"]


@pytest.mark.parametrize("call", BAD)
def test_a_text_with_a_nul_is_no_call(call: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="NUL"):
        CALLS.validate_json(json.dumps(call))


def test_half_a_surrogate_pair_is_no_call() -> None:
    with pytest.raises(ValidationError):
        CALLS.validate_python({"tool": "search_knowledge", "query": "q\ud800"})


def test_every_text_of_every_call_was_tried() -> None:
    assert len(BAD) == 1 + 5 + 4 + 2


def test_a_model_that_says_such_a_text_is_an_invalid_output() -> None:
    content = json.dumps({"intent": "diagnosis", "call": BAD[0]})
    with pytest.raises(InvalidOutputError, match="not_the_shape"):
        modelled._checked(Completed(content, "m", "m", 1, 1), None, Vocabulary())
