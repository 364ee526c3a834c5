"""What the page of a proposal reads of it, for somebody who looks at it now."""

from __future__ import annotations

from dataclasses import dataclass

from approvals.inbox import around
from approvals.inbox.around import Around
from approvals.models import AgenteAprovacao
from opspilot.tenancy.principal import Principal


@dataclass(frozen=True, slots=True)
class Page:
    proposal: AgenteAprovacao
    around: Around


def the_page_of(proposal: AgenteAprovacao) -> Page:
    """Needs the scope of the proposal's company."""
    fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
    somebody = Principal(proposal.tenant_id, "", 900_001, "auditor 1", frozenset())
    return Page(fresh, around.read(principal=somebody, proposal=fresh))
