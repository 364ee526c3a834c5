from __future__ import annotations

from typing import Any

import pytest

from approvals import actions
from approvals.actions import MAX_DESCRIPTION, MAX_TITLE, InvalidCommandError

COMMAND: dict[str, Any] = {"alias": "infra", "title": "t", "description": "d"}


@pytest.mark.parametrize(
    ("change", "field", "word"),
    [
        ({"alias": ""}, "alias", "projeto"),
        ({"title": " \n "}, "title", "título"),
        ({"title": "x" * (MAX_TITLE + 1)}, "title", "título"),
        ({"title": "@a " * 85}, "title", "título"),
        ({"description": "<a" * (MAX_DESCRIPTION // 2)}, "description", "descrição"),
        ({"description": "opk" + "a1" * 16}, "description", "descrição"),
        ({"labels": ["x"]}, "labels", "etiquetas"),
        ({"tenant": "boreal"}, "tenant", "tenant"),
        ({"allowed": True}, "allowed", "allowed"),
        ({"project_id": 1}, "project_id", "project_id"),
    ],
)
def test_a_command_that_does_not_fit_is_refused_by_the_name_people_know(
    change: dict[str, Any], field: str, word: str
) -> None:
    with pytest.raises(InvalidCommandError) as refusal:
        actions.parse(COMMAND | change)
    assert refusal.value.facts["fields"] == [field]
    assert word in refusal.value.sentence


def test_what_was_accepted_is_accepted_again_when_it_is_read_back() -> None:
    command = actions.parse(COMMAND | {"title": "@a " * 60, "description": "/close\n@all <b> #1"})
    assert actions.parse_json(command.model_dump_json()) == command


def test_a_refusal_does_not_carry_what_was_typed() -> None:
    with pytest.raises(InvalidCommandError) as refusal:
        actions.parse(COMMAND | {"title": "segredo" * 100})
    assert refusal.value.__cause__ is None
    assert "segredo" not in str(refusal.value)
