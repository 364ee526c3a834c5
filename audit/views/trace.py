"""One customer's trace: asked for with a reason, followed, taken along by who asked."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from audit import entities
from audit.trace import asking, page
from audit.trace.forms import AskForm
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import TRACE_ASKERS

_ASK, _ONE = "audit/trace/ask.html", "audit/trace/trace.html"


@require_GET
@requires(*TRACE_ASKERS)
def start(request: TenantRequest, type_: str, ref: UUID) -> HttpResponse:
    form = AskForm(initial=kept.fields(request))
    return render(request, _ASK, _asked(request, type_, ref, form))


@acts_by_post
@requires(*TRACE_ASKERS)
@keeps_typed("motivo", page="../")
def ask(request: TenantRequest, type_: str, ref: UUID) -> HttpResponse:
    form = AskForm(request.POST)
    with keeping_what_was_typed(_ASK, lambda: _asked(request, type_, ref, form)):
        reason = checked(form)["motivo"]
        entity = entities.get(type_=type_, ref=ref)
        trace = asking.ask(person=request.principal, entity=entity, reason=reason)
    return redirect("audit:trace", trace.ref)


@require_GET
@requires(*TRACE_ASKERS)
def one(request: TenantRequest, ref: UUID) -> HttpResponse:
    """The page polls itself while the trace is built; the link on it does the same."""
    shown = page.shown(asking.mine(person=request.principal, ref=ref))
    about = entities.get(type_=shown.trace.entity_type, ref=shown.trace.entity_ref)
    context = {
        "shown": shown,
        "steps": page.steps(shown),
        "entity": about,
        "title": entities.shown_title(about),
    }
    return render(request, f"{_ONE}#live" if request.htmx else _ONE, context)


@acts_by_post
@requires(*TRACE_ASKERS)
def again(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    asking.retry(person=request.principal, ref=ref)
    return redirect("audit:trace", ref)


@acts_by_post
@requires(*TRACE_ASKERS)
def take(request: TenantRequest, ref: UUID) -> HttpResponseBase:
    """By POST, so that nothing fetches it ahead. The file is sent after the transaction ended; it
    needs none. No cache keeps it: see RefusalMiddleware."""
    checked(ActForm(request.POST))
    trace, path = asking.take_along(person=request.principal, ref=ref)
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=f"rastro-{str(trace.ref)[:8]}.zip",
        content_type="application/zip",
    )


def _asked(request: TenantRequest, type_: str, ref: UUID, form: AskForm) -> dict[str, Any]:
    entity = entities.get(type_=type_, ref=ref)
    traces = asking.asked(person=request.principal, entity=entity)
    return {
        "entity": entity,
        "title": entities.shown_title(entity),
        "form": form,
        "traces": [page.shown(trace) for trace in traces],
    }
