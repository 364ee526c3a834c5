"""Where a decision leads, and the strip that says there what was decided."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from approvals import rules
from approvals.inbox import presenters, selectors, wording
from approvals.inbox.queue import Place
from approvals.inbox.queue_url import Queue
from approvals.models import AgenteAprovacao, Execution
from approvals.rules import NoPolicyError, UnreadablePolicyError
from approvals.stops import notes
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest


def onward(
    request: TenantRequest, proposal: AgenteAprovacao, asked: Queue, place: Place
) -> HttpResponse:
    """To the next of the queue the person came from; to that queue after its last, and for who
    prefers it. `place` is from before the decision, which empties it."""
    if place.following is not None and getattr(request.user, "next_item", True):
        path = reverse("approvals:detail", args=[place.following])
    else:
        path = reverse("approvals:inbox")
    url = asked.href(path, decidida=str(proposal.ref))
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def strip(request: TenantRequest, *, on: UUID | None = None) -> dict[str, str]:
    """The words about the decision the address names, if this person made it; on the page `on`
    of that very proposal, without a link to it."""
    ref = _uuid(request.GET.get("decidida", ""))
    decision = selectors.own_decision(principal=request.principal, ref=ref) if ref else None
    if decision is None:
        return {}
    proposal = decision.approval
    execution = selectors.execution(proposal=proposal)
    words = presenters.decided(decision, execution, clock.now())
    if held := _held(request, proposal, execution):
        words["text"] = held
    if ref == on:
        return words
    named = [wording.sentence(proposal), str(proposal.proposta.get("title", ""))]
    return words | {
        "url": reverse("approvals:detail", args=[ref]),
        "link": ": ".join(filter(None, named)),
    }


def _held(request: TenantRequest, proposal: AgenteAprovacao, execution: Execution | None) -> str:
    """What keeps the queued effect from starting when its hold is over; "" when nothing does."""
    if execution is None:
        return ""
    try:
        document = rules.in_force().document
    except (NoPolicyError, UnreadablePolicyError):
        document = None
    found = notes.of(
        proposal,
        principal=request.principal,
        execution=execution,
        document=document,
        now=clock.now(),
    )
    return f"{found[0].title} {found[0].text}" if found else ""


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
