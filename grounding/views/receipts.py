"""`/conhecimento/consultas/<ref>/`: what one consult saw."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from grounding.access import readable
from grounding.pages import receipt_page
from grounding.retrieval import receipts
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import TRAIL_READERS


@require_GET
@requires()
def receipt(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = receipts.receipt(principal=request.principal, ref=ref)
    context = {
        "receipt": found,
        "shown": receipt_page.shown(found, readable.by(request.principal)),
        "audits": request.principal.has(*TRAIL_READERS),
        "story": found.run or found.ref,
    }
    return render(request, "grounding/receipt.html", context)
