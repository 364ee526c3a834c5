"""The trail by entity and by run. Reading it is itself a row of the trail."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from audit import entities, readings
from audit.forms import LookupForm
from audit.registry import standing
from audit.story import attempts, entity_page, filters, presenters, queries
from audit.story import correlation as run
from opspilot.errors import NotFoundError
from opspilot.presentation import days
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import ENTITY_KEEPERS, TRAIL_READERS

PAGE = 30  # rows: more would not be drawn in the time that a page may take
RUN_PAGE = 200


@require_GET
@requires(*TRAIL_READERS)
def lookup(request: TenantRequest) -> HttpResponse:
    """`?id=` leads to the page of an internal id: of an entity, or of a run."""
    typed = request.GET.get("id", "").strip()
    if address := _page_of(typed):
        return redirect(address)
    context = _lookup_context(LookupForm()) | {"unknown": bool(typed)}
    return render(request, "audit/lookup.html", context)


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
    stands = standing.stands_for(found)
    if stands.pk != found.pk:
        messages.info(request, _("Este cadastro está unido a outro; este é o histórico de todos."))
        return redirect("audit:entity", stands.type, stands.ref)
    chosen = filters.chosen(request.GET.dict())
    members = standing.members(found)
    ids = [str(one.ref) for one in members]
    page = entity_page.of(type_=found.type, ids=ids, chosen=chosen, size=PAGE)
    readings.record(request.principal, entity_type=found.type, entity_id=str(found.ref))
    context = {
        "entity": found,
        "kind": entities.type_words(found.type),
        "title": entities.shown_title(found),
        "erased_at": standing.erased_at(found),
        "members": members[1:],
        "keeps": request.principal.has(*ENTITY_KEEPERS),
        "chosen": chosen,
        "kinds": filters.kinds(chosen),
        "actions": filters.actions(chosen),
        "periods": filters.periods(chosen),
        "page": page,
    }
    return render(request, "audit/entity.html", context)


@require_GET
@requires(*TRAIL_READERS)
def correlation(request: TenantRequest, run_id: UUID) -> HttpResponse:
    after = filters.place(request.GET.get("depois", ""))
    lines = queries.run_history(correlation_id=run_id, after=after, limit=RUN_PAGE + 1)
    if not lines:
        raise NotFoundError(back_url=reverse("audit:lookup"))
    shown, more = lines[:RUN_PAGE], len(lines) > RUN_PAGE
    tried = attempts.of(shown)
    readings.record(request.principal, what=f"rodada {run_id}")
    context = {
        "run_id": run_id,
        "story": _("Rodada %(id)s") % {"id": str(run_id)[:8]},
        "links": run.links(shown),
        "waits": run.waits(shown),
        "rows": run.technical(shown),
        "attempts": tried,
        "attempts_dated": days.need_dates(tried),
        "sources": run.cited(shown),
        "first": request.path if after else "",
        "following": filters.following(shown[-1].place) if more else "",
    }
    return render(request, "audit/correlation.html", context)


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


def _lookup_context(form: LookupForm) -> dict[str, Any]:
    """The number that was typed is not written back into a page (I9)."""
    runs = [presenters.recent(run) for run in queries.recent_runs()]
    return {"form": form, "runs": runs}
