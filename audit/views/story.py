"""The trail by entity and by run. Reading it is itself a row of the trail."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from audit import entities, partitions, readings
from audit.forms import LookupForm
from audit.story import correlation as run
from audit.story import filters, presenters, queries
from opspilot.errors import NotFoundError
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import TRAIL_READERS

PAGE = 200


@require_GET
@requires()
def start(request: TenantRequest) -> HttpResponse:
    """The trail has no page of its own. Who may not read it is led to what they asked for, whose
    pages say what became of it."""
    if request.principal.has(*TRAIL_READERS):
        return redirect("audit:lookup")
    return redirect(f"{reverse('approvals:inbox')}?fila=minhas")


@require_GET
@requires(*TRAIL_READERS)
def lookup(request: TenantRequest) -> HttpResponse:
    return render(request, "audit/lookup.html", _lookup_context(LookupForm()))


@acts_by_post
@requires(*TRAIL_READERS)
def find(request: TenantRequest) -> HttpResponse:
    """By POST, so that a document number never stands in a URL or a log (I9)."""
    form = LookupForm(request.POST)
    with keeping_what_was_typed("audit/lookup.html", lambda: _lookup_context(LookupForm())):
        document = entities.parse_document(checked(form)["documento"])
    entity = entities.find(document=document)
    readings.record_lookup(request.principal, entity)
    if entity is None:
        context = _lookup_context(LookupForm()) | {"missing": document.masked}
        return render(request, "audit/lookup.html", context)
    return redirect("audit:entity", entity.type, entity.ref)


@require_GET
@requires(*TRAIL_READERS)
def entity(request: TenantRequest, type_: str, ref: UUID) -> HttpResponse:
    found = entities.get(type_=type_, ref=ref)
    chosen = filters.chosen(request.GET.dict())
    lines = queries.entity_history(
        entity_type=found.type,
        entity_id=str(found.ref),
        wanted=chosen.wanted,
        before=chosen.before,
        limit=PAGE,
    )
    readings.record(request.principal, entity_type=found.type, entity_id=str(found.ref))
    context = {
        "entity": found,
        "chosen": chosen,
        "kinds": filters.kinds(chosen),
        "periods": filters.periods(chosen),
        "days": presenters.days(lines),
        "older": filters.older(chosen, lines[-1].place) if len(lines) == PAGE else "",
        "newest": chosen.address() if chosen.before else "",
        "since": "" if lines else _first_month(),
    }
    return render(request, "audit/entity.html", context)


@require_GET
@requires(*TRAIL_READERS)
def correlation(request: TenantRequest, run_id: UUID) -> HttpResponse:
    lines = queries.run_history(correlation_id=run_id, limit=PAGE)
    if not lines:
        raise NotFoundError(back_url=reverse("audit:lookup"))
    readings.record(request.principal, what=f"rodada {run_id}")
    context = {
        "run_id": run_id,
        "story": _("Rodada %(id)s") % {"id": str(run_id)[:8]},
        "links": run.links(lines),
        "waits": run.waits(lines),
        "rows": run.technical(lines),
        "sources": run.cited(lines),
        "cut": len(lines) == PAGE,
    }
    return render(request, "audit/correlation.html", context)


def _first_month() -> str:
    """Since when the trail can know anything, as MM/YYYY."""
    months = partitions.existing()
    return "/".join(reversed(months[0].split("-"))) if months else ""


def _lookup_context(form: LookupForm) -> dict[str, Any]:
    """The number that was typed is not written back into a page (I9)."""
    runs = [presenters.recent(run) for run in queries.recent_runs()]
    return {"form": form, "runs": runs}
