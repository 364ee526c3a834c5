"""The tools of the second entrance: a closed list, each an operation of the door with its scope."""

from __future__ import annotations

from typing import Any

import pytest

from opspilot.api.description import schema
from opspilot.api.scopes import TOOLS as SCOPES
from opspilot.bootstrap.datadir import DataDir
from opspilot.bootstrap.instance import Instance
from opspilot.mcp.serving import HostsNotNamedError, _security
from opspilot.mcp.tools import BY_NAME, TOOLS


def described(operation: str) -> dict[str, Any]:
    every = (each for methods in schema()["paths"].values() for each in methods.values())
    return next(each for each in every if each["operationId"] == operation)


def test_each_tool_takes_the_scope_of_its_operation() -> None:
    asked = {tool.name: described(tool.operation)["x-escopo"] for tool in TOOLS}
    assert asked == {name: str(scope) for name, scope in SCOPES.items()}


def test_the_tools_are_four() -> None:
    assert sorted(BY_NAME) == [
        "consultar_grounding",
        "estado_da_proposta",
        "propor",
        "registrar_acao",
    ]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_no_argument_that_a_tool_does_not_name_is_offered(tool: Any) -> None:
    assert tool.schema(slug="coletor")["additionalProperties"] is False


def test_an_agent_is_told_its_own_name() -> None:
    found = BY_NAME["consultar_grounding"].schema(slug="coletor")
    assert found["$defs"]["ContextIn"]["properties"]["agente_id"]["enum"] == ["coletor"]


@pytest.mark.parametrize("hosts", [[], ["*"], [".example"], ["console.example", "*"]])
def test_a_pattern_of_hosts_stops_the_process(hosts: list[str]) -> None:
    with pytest.raises(HostsNotNamedError):
        _security(hosts)


@pytest.mark.parametrize(("given", "port"), [({}, 0), ({"OPSPILOT_MCP_PORT": "8100"}, 8100)])
def test_up_serves_it_only_where_a_setting_says_so(
    tmp_path: Any, given: dict[str, str], port: int
) -> None:
    assert Instance(DataDir(tmp_path), 8000, 1, 2, {}, given).mcp_port == port
