"""What was tried for some proposals, in words: for the trail, which knows a proposal by number."""

from __future__ import annotations

from collections.abc import Sequence

from approvals.inbox import execution_words
from approvals.models import ExecutionAttempt
from opspilot.presentation.shapes import Entry

MOST = 200
"""Attempts that are told at once, the newest of them."""


def attempts(approval_ids: Sequence[int]) -> list[Entry]:
    """Requests, their answers and look-ups, oldest first."""
    rows = ExecutionAttempt.objects.filter(execution__approval_id__in=approval_ids)
    newest = list(rows.order_by("-pk")[:MOST])
    return [execution_words.attempt(row) for row in reversed(newest)]
