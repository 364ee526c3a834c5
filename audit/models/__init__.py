"""What the trail keeps, by room; Django finds all of it here."""

from __future__ import annotations

from audit.models.entity import Entity, EntityChange, EntityEvent
from audit.models.guard import (
    GuardTerm,
    MaskingCount,
    TrailReview,
    TrailReviewEnd,
    TrailReviewFinding,
)
from audit.models.months import (
    LegalHold,
    LegalHoldLift,
    RetentionEnd,
    TrailExpiry,
    TrailRetention,
    TrailRetentionActivation,
    TrailRetentionEnd,
)
from audit.models.price import ModelPrice
from audit.models.saved_report import ReportState, SavedReport, SavedReportRun, Schedule
from audit.models.seal import SealFault, TrailKey, TrailSeal, TrailVerification, TrailWatch
from audit.models.trace import Trace, TraceState
from audit.models.trail import AgenteAcao

__all__ = [
    "AgenteAcao",
    "Entity",
    "EntityChange",
    "EntityEvent",
    "GuardTerm",
    "LegalHold",
    "LegalHoldLift",
    "MaskingCount",
    "ModelPrice",
    "ReportState",
    "RetentionEnd",
    "SavedReport",
    "SavedReportRun",
    "Schedule",
    "SealFault",
    "Trace",
    "TraceState",
    "TrailExpiry",
    "TrailKey",
    "TrailRetention",
    "TrailRetentionActivation",
    "TrailRetentionEnd",
    "TrailReview",
    "TrailReviewEnd",
    "TrailReviewFinding",
    "TrailSeal",
    "TrailVerification",
    "TrailWatch",
]
