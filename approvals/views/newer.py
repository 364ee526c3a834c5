"""The page of a proposal whose rules this release does not know: read, never decided (I12)."""

from __future__ import annotations

import json

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from approvals.inbox import queue_url
from approvals.models import AgenteAprovacao
from opspilot.tenancy.http import TenantRequest


def page(request: TenantRequest, proposal: AgenteAprovacao) -> HttpResponse:
    """What is stored, as it is stored: nothing of it is interpreted, so nothing can be missing."""
    asked = queue_url.parse(request.GET)
    context = {
        "proposal": proposal,
        "back_url": asked.href(reverse("approvals:inbox")),
        "rules": proposal.recursos,
        "stored": json.dumps(proposal.proposta, sort_keys=True, ensure_ascii=False, indent=2),
    }
    return render(request, "approvals/newer.html", context)
