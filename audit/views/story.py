"""The trail by entity and by run. Reading it is itself a row of the trail."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from audit import entities, readings
from audit.registry import standing
from audit.story import attempts, entity_page, filters, presenters, queries
from audit.story import correlation as run
from opspilot.errors import NotFoundError
from opspilot.presentation import days
from opspilot.presentation.addresses import came_from
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import ENTITY_KEEPERS, TRAIL_READERS

PAGE = 30  # rows: more would not be drawn in the time that a page may take
RUN_PAGE = 200


@require_GET
@requires(*TRAIL_READERS)
def recent(request: TenantRequest) -> HttpResponse:
    """The runs the trail saw last. `?id=` once stood here and leads on."""
    if typed := request.GET.get("id"):
        return redirect(f"{reverse('audit:start')}?{urlencode({'id': typed})}")
    runs = [presenters.recent(run) for run in queries.recent_runs()]
    return render(request, "audit/recent.html", {"runs": runs})


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
        raise NotFoundError(back_url=reverse("audit:start"))
    shown, more = lines[:RUN_PAGE], len(lines) > RUN_PAGE
    tried = attempts.of(shown)
    readings.record(request.principal, what=f"rodada {run_id}")
    context = {
        "run_id": run_id,
        "came_from": came_from(
            request.headers.get("Referer", ""),
            host=request.get_host(),
            under=reverse("audit:start"),
            here=request.path,
        ),
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
