"""The table of tools: closed, unwritable, and read by identity alone."""

from __future__ import annotations

import dataclasses
import inspect
import operator
from typing import Any, get_args, get_type_hints

import pytest

from opspilot.api.scopes import Scope
from opspilot.harness.guards import tools
from opspilot.harness.guards.errors import (
    LostRoleError,
    ScopeMissingError,
    ToolRefusedError,
    UnknownToolError,
)
from opspilot.harness.guards.identities import WORKER, Identity, Kind
from opspilot.harness.guards.tools import DOOR, PLANNED, TABLE, authorize_tool_call
from opspilot.harness.planning import port
from opspilot.tenancy.principal import Role

ASKING = Identity(Kind.RUN, frozenset({"operador"}))
NOBODYS = (
    "create_gitlab_issue", "approve", "decidir", "executar", "ativar_politica", "grant_role",
    "export_archive", "send_email", "http_get", "shell", "sql", "", "PREPARE_ISSUE",
)  # fmt: skip


@pytest.mark.parametrize("tool", PLANNED)
@pytest.mark.parametrize("role", ["operador", "aprovador", "admin"])
def test_the_run_of_who_may_ask_has_the_four_tools(tool: str, role: str) -> None:
    authorize_tool_call(Identity(Kind.RUN, frozenset({role})), tool)


@pytest.mark.parametrize("tool", PLANNED)
def test_a_run_whose_requester_is_out_has_none(tool: str) -> None:
    with pytest.raises(LostRoleError):
        authorize_tool_call(Identity(Kind.RUN), tool)


@pytest.mark.parametrize("tool", NOBODYS)
@pytest.mark.parametrize(
    "identity",
    [
        ASKING,
        WORKER,
        Identity(Kind.PERSON, frozenset(str(role) for role in Role)),
        Identity(Kind.AGENT, frozenset(str(scope) for scope in Scope)),
    ],
)
def test_what_is_not_in_the_table_nobody_may_call(identity: Identity, tool: str) -> None:
    with pytest.raises(UnknownToolError):
        authorize_tool_call(identity, tool)


def test_a_worker_has_no_tool_of_its_own() -> None:
    for tool in (*PLANNED, *DOOR):
        with pytest.raises(ToolRefusedError):
            authorize_tool_call(WORKER, tool)


@pytest.mark.parametrize(("tool", "scope"), DOOR.items())
def test_an_agent_without_the_scope_is_refused_and_with_it_is_not(tool: str, scope: str) -> None:
    others = frozenset(str(each) for each in Scope) - {scope}
    with pytest.raises(ScopeMissingError):
        authorize_tool_call(Identity(Kind.AGENT, others), tool)
    authorize_tool_call(Identity(Kind.AGENT, frozenset({scope})), tool)


@pytest.mark.parametrize("tool", PLANNED)
def test_an_agent_with_every_scope_and_every_role_plans_nothing_here(tool: str) -> None:
    everything = frozenset({*map(str, Scope), *map(str, Role)})
    with pytest.raises(ToolRefusedError):
        authorize_tool_call(Identity(Kind.AGENT, everything), tool)


@pytest.mark.parametrize("tool", DOOR)
def test_a_run_has_no_tool_of_the_door(tool: str) -> None:
    with pytest.raises(ToolRefusedError):
        authorize_tool_call(ASKING, tool)


def test_each_scope_is_the_doors_own_word() -> None:
    assert set(DOOR.values()) == {str(scope) for scope in Scope}


def test_the_planned_tools_are_those_of_the_port() -> None:
    union = get_args(get_args(port.Call)[0])
    assert {call.model_fields["tool"].default for call in union} == set(PLANNED)


@pytest.mark.parametrize(
    "write",
    [
        lambda table: operator.setitem(table, (Kind.RUN, "grant_role"), frozenset({"operador"})),
        lambda table: operator.delitem(table, (Kind.RUN, "final_answer")),
        lambda table: table.update({}),
        lambda table: table.clear(),
        lambda table: table.__ior__({}),
        lambda table: table[(Kind.RUN, "search_knowledge")].add("auditor"),
        lambda table: setattr(table, "grant_role", 1),
    ],
)
@pytest.mark.parametrize("name", ["TABLE", "DOOR", "_LACKS"])
def test_no_code_can_write_the_table(name: str, write: Any) -> None:
    before = dict(TABLE)
    with pytest.raises((TypeError, AttributeError, KeyError)):
        write(getattr(tools, name))
    assert dict(TABLE) == before


def test_an_identity_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        ASKING.holds = frozenset({"admin"})  # type: ignore[misc]


def test_the_guard_is_given_an_identity_and_a_tool_and_nothing_that_was_read() -> None:
    assert list(inspect.signature(authorize_tool_call).parameters) == ["identity", "tool"]
    assert get_type_hints(Identity) == {"kind": Kind, "holds": frozenset[str]}
