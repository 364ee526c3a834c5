"""Who answers for which agent now, as the registry of agents says."""

from __future__ import annotations

from approvals.deciders.access import Owners
from opspilot.api.models import Agent
from opspilot.tenancy.principal import subject_of


def registered() -> Owners:
    """The active agents of each owner."""
    found: dict[str, list[str]] = {}
    rows = Agent.objects.filter(active=True).order_by("slug").values_list("owner_id", "slug")
    for owner_id, slug in rows:
        found.setdefault(subject_of(owner_id), []).append(slug)
    return found
