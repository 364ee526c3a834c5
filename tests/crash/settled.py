"""When an execution has come to an end that only a person can change."""

from __future__ import annotations

from approvals.models import Execution, ExecutionState

_LOOKED_AT = (ExecutionState.CONCLUIDA, ExecutionState.DESCONHECIDA)
_OVER = (
    ExecutionState.RECUSADA,
    ExecutionState.BLOQUEADA,
    ExecutionState.DIVERGENTE,
    ExecutionState.RETIRADA,
    ExecutionState.REVERTIDA,
)


def is_settled(row: Execution) -> bool:
    looks_no_more = row.state in _LOOKED_AT and row.next_lookup_at is None
    return row.state in _OVER or looks_no_more
