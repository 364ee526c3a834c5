"""On which tab the bare address of the queue opens for somebody it asks nothing of."""

from __future__ import annotations

from approvals.deciders.delegation import Reach
from approvals.inbox import queue
from approvals.inbox.queue_url import Queue
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.roles import DECIDERS

_OVERSEE = (Role.AUDITOR, Role.CONFORMIDADE)
_MOSTLY_DECIDE = frozenset(DECIDERS) - {Role.CONFORMIDADE}


def of(principal: Principal, reach: Reach) -> Queue | None:
    """None for who decides, by their own role or by one that was lent to them: what waits for them
    comes first. Somebody who oversees opens all there is, anybody else what they asked for."""
    if reach.loans or principal.has(*_MOSTLY_DECIDE):
        return None
    if not principal.has(*_OVERSEE):
        return Queue("minhas")
    decides = principal.has(Role.CONFORMIDADE)
    if decides and queue.size(principal=principal, queue=Queue()):
        return None  # a policy gives them something to decide
    return Queue("todas")
