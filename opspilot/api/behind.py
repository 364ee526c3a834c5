"""Who stands behind an agent now: who answers for it, had it lately, or issued a token it can use."""

from __future__ import annotations

from itertools import chain

from opspilot.api import agents, tokens
from opspilot.api.models import Agent
from opspilot.tenancy import clock
from opspilot.tenancy.principal import subject_of


def of(slug: str) -> frozenset[str]:
    """The subjects; nobody for an agent that is not registered."""
    agent = Agent.objects.filter(slug=slug).first()
    if agent is None:
        return frozenset()
    now = clock.now()
    valid = (token for token in tokens.of(agent=agent) if tokens.is_valid(token, at=now))
    issued = frozenset(chain.from_iterable(tokens.issuers(token) for token in valid))
    return issued | agents.lately_behind(agent_id=agent.pk) | {subject_of(agent.owner_id)}
