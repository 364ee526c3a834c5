"""The worker's sweep over proposals whose deadline passed without a decision."""

from __future__ import annotations

from uuid import UUID

from django.db import DatabaseError

from approvals import decisions
from approvals.models import AgenteAprovacao, State
from opspilot.tenancy.scope import tenant_scope


def expire_due(*, tenant_id: UUID, approval_id: int) -> None:
    """Close one proposal by the clock. A decision that came first wins and nothing is written."""
    try:
        with tenant_scope(tenant_id):
            decisions.expire(proposal=AgenteAprovacao.objects.get(pk=approval_id))
    except DatabaseError:
        with tenant_scope(tenant_id):
            if AgenteAprovacao.objects.get(pk=approval_id).estado == State.PENDENTE:
                raise
