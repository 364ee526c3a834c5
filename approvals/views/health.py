"""How the queue does: for whoever decides, audits or administers it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from approvals.inbox import health, health_words
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import POLICY_READERS


@require_GET
@requires(*POLICY_READERS)
def index(request: TenantRequest) -> HttpResponse:
    asked, inbox = request.GET.get("dias", ""), reverse("approvals:inbox")
    days = next((days for days in health.PERIODS if str(days) == asked), health.PERIODS[0])
    found = health.of(days=days)
    waiting = sum(sum(counts) for counts in found.waiting.values())
    context = {
        "now": clock.now(),
        "days": days,
        "periods": health_words.periods(reverse("approvals:health"), days),
        "figures": health_words.figures(found, inbox),
        "waiting": waiting,
        "by_age": health_words.waiting_by_age(found),
        "by_risk": health_words.waiting_by_risk(found),
        "closed": found.closed[0].all,
        "endings": health_words.endings(found.closed[0]),
        "refusals": health_words.refusals(found),
        "cut": max(waiting, sum(closed.all for closed in found.closed)) >= health.MOST,
        "most": health.MOST,
    }
    return render(request, "approvals/health.html", context)
