"""The page on which one proposal is read and decided."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from approvals import decisions, features
from approvals.deciders.delegation import Reach
from approvals.forms import ChangesForm, CommentForm, ProofForm, RefusalForm
from approvals.inbox import around, listing, presenters, queue, queue_url, selectors
from approvals.inbox.queue_url import Queue
from approvals.models import AgenteAprovacao
from approvals.proof import access
from approvals.views import content, decided, newer
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.reauthentication import authenticated_at

DECISION = "decisao"  # the id of the section in which the strip opens
_CHOICES = ("aprovar", "recusar", "devolver")


@require_GET
@requires()
def detail(request: TenantRequest, ref: UUID) -> HttpResponse:
    """The page; for a script the part it asked for: the decision, or what still moves."""
    proposal = selectors.proposal(ref=ref)
    if features.is_newer(proposal.versao_esquema):
        return newer.page(request, proposal)
    asked = request.GET.get("decidir", "")
    deciding = asked if asked in _CHOICES else ""
    context = page(request, proposal) | {
        "deciding": deciding,
        # The reader's focus goes to the title once: what follows by itself never takes it back.
        "opened": not deciding and not request.htmx,
        "json": request.GET.get("ver") == "json" and presenters.raw(proposal),
        "form": _form(deciding, kept.fields(request)),
        "decided": decided.strip(request, on=ref),
    }
    return render(request, _template(request), context)


def _form(deciding: str, typed: dict[str, Any]) -> RefusalForm:
    return (ChangesForm if deciding == "devolver" else RefusalForm)(initial=typed)


def _template(request: TenantRequest) -> str:
    if not request.htmx:
        return "approvals/detail.html"
    part = "decision" if request.htmx.target == DECISION else "live"
    return f"approvals/detail.html#{part}"


def page(request: TenantRequest, proposal: AgenteAprovacao) -> dict[str, Any]:
    """What the page shows of the proposal as it is now, inside the queue its address names."""
    asked = queue_url.parse(request.GET)
    read = around.read(principal=request.principal, proposal=proposal)
    shown = content.of(request.principal, proposal, read)
    here = reverse("approvals:detail", args=[proposal.ref])
    era = shown["execution"].state if shown["execution"] else proposal.estado
    return (
        _walk(request, proposal, asked, read.reach)
        | shown
        | {
            "here": asked.href(here),
            "json_url": asked.href(here, ver="json"),
            "strip_urls": _strips(asked, here, moved=shown["moved"]),
            "approve_url": asked.href(reverse("approvals:approve", args=[proposal.ref])),
            "refuse_url": asked.href(reverse("approvals:refuse", args=[proposal.ref])),
            "changes_url": asked.href(reverse("approvals:ask_for_changes", args=[proposal.ref])),
            "proof_url": _proof_url(request, proposal),
            "comment_form": CommentForm(initial=kept.fields(request)),
            "proof_form": ProofForm(initial=kept.fields(request)),
            # The ticker says which state it shows: only another one is told to the reader.
            "follow_url": asked.href(here, era=era),
            "changed": bool(request.htmx) and request.GET.get("era") != era,
            "opener": _opener(request),
            "error_here": bool(request.htmx),
            "step_up": decisions.needs_step_up(
                proposal=proposal, authenticated_at=authenticated_at(request), at=read.now
            ),
        }
    )


def _strips(asked: Queue, here: str, *, moved: bool) -> dict[str, str]:
    """Where each way to decide opens. What a policy moved away from is not approved any more."""
    found = {choice: asked.href(here, decidir=choice) for choice in _CHOICES}
    return found | {"aprovar": ""} if moved else found


def _proof_url(request: TenantRequest, proposal: AgenteAprovacao) -> str:
    offered = access.is_offered(request.principal, proposal)
    return reverse("approvals:proof", args=[proposal.ref]) if offered else ""


def _opener(request: TenantRequest) -> str:
    """The key of the link to which a strip that closes gives the focus back."""
    if not request.htmx:
        return ""
    current = request.htmx.current_url or ""
    keys = {"decidir=recusar": "r", "decidir=devolver": "d"}
    return next((key for asked, key in keys.items() if asked in current), "a")


def _walk(
    request: TenantRequest, proposal: AgenteAprovacao, asked: Queue, reach: Reach
) -> dict[str, Any]:
    place = queue.place(principal=request.principal, queue=asked, ref=proposal.ref, reach=reach)
    request.to_decide = place.waiting  # type: ignore[attr-defined]  # the frame's number
    inbox = reverse("approvals:inbox")
    walk = listing.walk(
        asked,
        place,
        here=str(proposal.ref),
        inbox=inbox,
        detail=lambda ref: reverse("approvals:detail", args=[ref]),
    )
    return {"walk": walk}
