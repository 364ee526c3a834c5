"""The trail's rows about an agent: each act of an admin, all under the agent's own correlation."""

from __future__ import annotations

from audit import trail
from opspilot.api.models import Agent
from opspilot.tenancy.principal import Principal


def record(agent: Agent, *, action: str, by: Principal, words: str) -> None:
    """`words`: what was done, never a secret."""
    trail.record_act(
        by, action, correlacao_id=agent.ref, saida_resumo=f"{agent.slug}: {words}", reversivel=False
    )
