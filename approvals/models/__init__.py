"""Proposals (`agente_aprovacao`), decisions, executions and policy versions: data, no workflow."""

from __future__ import annotations

from approvals.models.executions import Execution, ExecutionAttempt, ExecutionState
from approvals.models.policies import DraftOutcome, PolicyDraft, PolicyVersion
from approvals.models.proposals import AgenteAprovacao, Comment, Decision, State, Verdict

SCHEMA_VERSION = 1  # the newest rules this code knows; a claim never takes a newer row (I12)

__all__ = [
    "SCHEMA_VERSION",
    "AgenteAprovacao",
    "Comment",
    "Decision",
    "DraftOutcome",
    "Execution",
    "ExecutionAttempt",
    "ExecutionState",
    "PolicyDraft",
    "PolicyVersion",
    "State",
    "Verdict",
]
