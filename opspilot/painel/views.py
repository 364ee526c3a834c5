"""`/`: what needs me, then what waits for any person."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from approvals import selectors as approvals
from approvals import wording
from grounding import selectors as knowledge
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import ASKERS, DECIDERS, TRAIL_READERS


@require_GET
@requires()
def index(request: TenantRequest) -> HttpResponse:
    principal = request.principal
    queue = approvals.inbox(principal=principal, tab="para-mim")
    mine = approvals.inbox(principal=principal, tab="minhas")
    stuck = approvals.inbox(principal=principal, tab="desconhecido")
    context = {
        "queue": [(row.proposal, wording.sentence(row.proposal)) for row in queue[:5]],
        "decides": principal.has(*DECIDERS),
        "asks": principal.has(*ASKERS),
        "audits": principal.has(*TRAIL_READERS),
        "mine": [
            (
                row.proposal,
                wording.sentence(row.proposal),
                *wording.state(row.proposal, row.execution),
            )
            for row in mine[:5]
        ],
        "stuck": [
            (
                row.proposal,
                wording.sentence(row.proposal),
                *wording.state(row.proposal, row.execution),
            )
            for row in stuck[:5]
        ],
        "documents": knowledge.document_count(),
        "now": clock.now(),
    }
    return render(request, "painel/index.html", context)
