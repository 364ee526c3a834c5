"""`/trilha/consultas/salvas/`: reports kept under a name, run by the worker."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from audit.reports import catalogue, pages, saved, saved_page
from audit.reports.saved_form import SaveForm, wish
from audit.reports.shapes import NamedQuery
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import TRAIL_READERS

_SAVE = "audit/reports/save.html"


@require_GET
@requires(*TRAIL_READERS)
def index(request: TenantRequest) -> HttpResponse:
    context = {"lines": saved_page.listing(request.principal)}
    return render(request, "audit/reports/saved_list.html", context)


@require_GET
@requires(*TRAIL_READERS)
def report(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = saved.one(person=request.principal, ref=ref)
    context = saved_page.detail(request.principal, found)
    return render(request, "audit/reports/saved_report.html", context)


@require_GET
@requires(*TRAIL_READERS)
def start(request: TenantRequest, slug: str) -> HttpResponse:
    """The question stands in the address, as on the query's own page."""
    query = catalogue.get(slug)
    saved.must_open(request.principal, query)
    form = SaveForm(query, initial=kept.fields(request))
    return render(request, _SAVE, _about(request, query, form))


@acts_by_post
@requires(*TRAIL_READERS)
@keeps_typed("nome", "agenda", "hora", many=("papeis",), page="../")
def save(request: TenantRequest, slug: str) -> HttpResponse:
    query = catalogue.get(slug)
    form = SaveForm(query, request.POST)
    with keeping_what_was_typed(_SAVE, lambda: _about(request, query, form)):
        found = saved.save(
            person=request.principal, query=query, wish=wish(checked(form), request.GET.dict())
        )
    messages.success(request, _("Relatório salvo. Cada resposta dele aparece nesta página."))
    return redirect("audit:saved_report", found.ref)


@acts_by_post
@requires(*TRAIL_READERS)
def run(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    saved.run_now(person=request.principal, ref=ref)
    messages.success(request, _("Na fila. A resposta aparece nesta página em instantes."))
    return redirect("audit:saved_report", ref)


@acts_by_post
@requires(*TRAIL_READERS)
def pause(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    saved.pause(person=request.principal, ref=ref)
    messages.success(request, _("Relatório pausado."))
    return redirect("audit:saved_report", ref)


@acts_by_post
@requires(*TRAIL_READERS)
def resume(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    saved.resume(person=request.principal, ref=ref)
    messages.success(request, _("Relatório retomado."))
    return redirect("audit:saved_report", ref)


@acts_by_post
@requires(*TRAIL_READERS)
def delete(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    saved.delete(person=request.principal, ref=ref)
    messages.success(request, _("Relatório excluído. O que ele respondeu continua na trilha."))
    return redirect("audit:saved_reports")


def _about(request: TenantRequest, query: NamedQuery, form: SaveForm) -> dict[str, Any]:
    raw = request.GET.dict()
    return {
        "query": query,
        "form": form,
        "back_url": pages.address(query, raw),
        "asked": request.GET.urlencode(),
    }
