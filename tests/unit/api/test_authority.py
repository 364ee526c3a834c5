"""Of everything about deciding, the door calls one thing: taking one's own request back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspilot.api import scopes
from opspilot.tenancy.principal import AgentPrincipal, Principal

ROOM = Path(__file__).parents[3] / "opspilot" / "api"


def test_of_the_decisions_the_door_only_cancels() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOM.glob("*.py"))
    assert set(re.findall(r"\bdecisions\.(\w+)", code)) == {"cancel"}
    assert "from approvals.decisions" not in code


def test_an_agent_has_nothing_a_person_decides_with() -> None:
    """A rule written for people fails on an agent, instead of taking it for one."""
    assert not {"roles", "user_id", "has"} & set(dir(AgentPrincipal))
    assert {"roles", "user_id", "has"} <= set(dir(Principal))


@pytest.mark.parametrize("scope", list(scopes.Scope))
def test_a_scope_is_an_object_and_a_verb(scope: scopes.Scope) -> None:
    assert re.fullmatch(r"[a-z]+:[a-z]+", str(scope))
    assert str(scope.label)
