"""`/trilha/`: what the trail answers, and the one place where somebody is looked for."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from audit import entities, readings
from audit.forms import LookupForm
from audit.reports import pages
from audit.story import queries
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import TRAIL_READERS

_PAGE = "audit/start.html"


@require_GET
@requires()
def start(request: TenantRequest) -> HttpResponse:
    """`?id=` leads to the page of an internal id: of an entity, or of a run. Who may not read the
    trail is led to what they asked for, whose pages say what became of it."""
    if not request.principal.has(*TRAIL_READERS):
        return redirect(f"{reverse('approvals:inbox')}?fila=minhas")
    typed = request.GET.get("id", "").strip()
    if address := _page_of(typed):
        return redirect(address)
    return render(request, _PAGE, _context(request) | {"unknown": bool(typed)})


@acts_by_post
@requires(*TRAIL_READERS)
def find(request: TenantRequest) -> HttpResponse:
    """By POST, so that a document number never stands in a URL or a log (I9)."""
    form = LookupForm(request.POST)
    with keeping_what_was_typed(_PAGE, lambda: _context(request)):
        document = entities.parse_document(checked(form)["documento"])
    entity = entities.find(document=document)
    readings.record_lookup(request.principal, entity)
    if entity is None:
        return render(request, _PAGE, _context(request) | {"missing": document.masked})
    return redirect("audit:entity", entity.type, entity.ref)


def _page_of(typed: str) -> str:
    """The address behind an internal id; "" where it leads nowhere."""
    try:
        ref = UUID(typed)
    except ValueError:
        return ""
    if found := entities.by_ref(ref):
        return reverse("audit:entity", args=[found.type, found.ref])
    if queries.run_history(correlation_id=ref, limit=1):
        return reverse("audit:correlation", args=[ref])
    return ""


def _context(request: TenantRequest) -> dict[str, Any]:
    """The number that was typed is not written back into a page (I9)."""
    return {"form": LookupForm(), "ways": pages.ways(request.principal)}
