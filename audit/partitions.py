"""Months of the trail, as the worker, `up` and the pages ask for them (ADR 0002)."""

from __future__ import annotations

from audit.months.calendar import AHEAD, wanted
from audit.months.catalogue import existing
from audit.months.creating import create

__all__ = ["AHEAD", "create", "existing", "wanted"]
