"""Builds the connectors that can change the world. Only `approvals.execution` may import this."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from opspilot.connectors.gitlab import GitLab
from opspilot.connectors.http import BoundedClient
from opspilot.connectors.issues import IssueTracker
from opspilot.connectors.semaphore import Semaphore
from opspilot.connectors.tasks import TaskRunner


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


@cache
def task_runner() -> TaskRunner:
    """The configured Semaphore. One client a process."""
    client = BoundedClient(
        base_url=settings.OPSPILOT_SEMAPHORE_URL,
        token=settings.OPSPILOT_SEMAPHORE_TOKEN,
        timeout=settings.OPSPILOT_SEMAPHORE_TIMEOUT,
    )
    return Semaphore(client, base_url=settings.OPSPILOT_SEMAPHORE_URL)
