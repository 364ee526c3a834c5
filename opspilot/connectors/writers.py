"""Builds the connectors that can change the world. Only `approvals.execution` may import this."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from opspilot.connectors.gitlab import GitLab
from opspilot.connectors.http import BoundedClient
from opspilot.connectors.issues import IssueTracker


@cache
def issue_tracker() -> IssueTracker:
    """The configured GitLab. One client a process: httpx clients are safe across threads."""
    return GitLab(
        BoundedClient(
            base_url=settings.OPSPILOT_GITLAB_URL,
            token=settings.OPSPILOT_GITLAB_TOKEN,
            timeout=settings.OPSPILOT_GITLAB_TIMEOUT,
        )
    )
