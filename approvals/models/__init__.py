"""Proposals (`agente_aprovacao`), decisions, executions and policy versions: data, no workflow."""

from __future__ import annotations

from approvals.features import SCHEMA_VERSION
from approvals.models.access import AccessReview, Delegation
from approvals.models.consumption import Consumption, EffectOutcome, EffectReport, Taking
from approvals.models.escalations import Escalation, EscalationReason
from approvals.models.executions import Execution, ExecutionAttempt, ExecutionState
from approvals.models.lookups import OpenIssueList
from approvals.models.packs import PackState, ProofPack
from approvals.models.policies import DraftOutcome, PolicyDraft, PolicyVersion
from approvals.models.proposals import AgenteAprovacao, Comment, Decision, State, Verdict
from approvals.models.standing import PERIOD_DAYS, Period, StandingPermission, StandingUse
from approvals.models.stops import EmergencyStop, EmergencyStopLift, StopScope
from approvals.models.tasks import TaskOutput, TemplatePreflight
from approvals.models.views import SavedView

__all__ = [
    "PERIOD_DAYS",
    "SCHEMA_VERSION",
    "AccessReview",
    "AgenteAprovacao",
    "Comment",
    "Consumption",
    "Decision",
    "Delegation",
    "DraftOutcome",
    "EffectOutcome",
    "EffectReport",
    "EmergencyStop",
    "EmergencyStopLift",
    "Escalation",
    "EscalationReason",
    "Execution",
    "ExecutionAttempt",
    "ExecutionState",
    "OpenIssueList",
    "PackState",
    "Period",
    "PolicyDraft",
    "PolicyVersion",
    "ProofPack",
    "SavedView",
    "StandingPermission",
    "StandingUse",
    "State",
    "StopScope",
    "Taking",
    "TaskOutput",
    "TemplatePreflight",
    "Verdict",
]
