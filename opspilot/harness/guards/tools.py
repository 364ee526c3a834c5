"""Which identity may call which tool: one frozen table, and a function that reads nothing else.

A tool that is not in the table can be called by nobody. What a policy says comes on top and only
narrows: it is asked by the tool itself. There is no decision, no effect, no policy and no role in
the table, so no call can be planned that would be one.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from opspilot.harness.guards.errors import (
    LostRoleError,
    ScopeMissingError,
    ToolRefusedError,
    UnknownToolError,
)
from opspilot.harness.guards.identities import Identity, Kind
from opspilot.tenancy.roles import ASKERS

__all__ = ["DOOR", "PLANNED", "TABLE", "authorize_tool_call"]

PLANNED = ("search_knowledge", "prepare_issue", "prepare_task", "final_answer")
"""What a planner can say (`planning.port`)."""

DOOR = MappingProxyType(
    {
        "consultar_grounding": "grounding:consultar",
        "propor": "aprovacoes:propor",
        "cancelar_proposta": "aprovacoes:propor",
        "estado_da_proposta": "aprovacoes:ler",
        "consumir_aprovacao": "aprovacoes:consumir",
        "relatar_efeito": "aprovacoes:consumir",
        "testar_politica": "politicas:testar",
        "consultar_trilha": "trilha:ler",
        "registrar_acao": "acoes:escrever",
    }
)
"""What the agents' door can be asked for, each with the scope that it takes."""

_ASKING = frozenset(str(role) for role in ASKERS)

TABLE: Final[Mapping[tuple[Kind, str], frozenset[str]]] = MappingProxyType(
    {(kind, tool): _ASKING for kind in (Kind.PERSON, Kind.RUN) for tool in PLANNED}
    | {(Kind.AGENT, tool): frozenset({scope}) for tool, scope in DOOR.items()}
)
"""What the caller must hold, one of these, to call it. A worker has no line of its own: it goes on
with the run of a person, as that person's run."""

_LACKS: Mapping[Kind, type[ToolRefusedError]] = MappingProxyType(
    {Kind.RUN: LostRoleError, Kind.PERSON: LostRoleError, Kind.AGENT: ScopeMissingError}
)
_TOOLS = frozenset(tool for _kind, tool in TABLE)


def authorize_tool_call(identity: Identity, tool: str) -> None:
    """Return, and the call may be made; else raise the ToolRefusedError that says why not."""
    needed = TABLE.get((identity.kind, tool))
    if needed is None:
        raise ToolRefusedError if tool in _TOOLS else UnknownToolError
    if needed.isdisjoint(identity.holds):
        raise _LACKS[identity.kind]
