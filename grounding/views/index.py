"""The health of the index, and what an admin decides about it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grounding.pages import index_page, selectors
from grounding.pages.index_forms import CuttingForm
from grounding.upkeep import choosing
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import DOCUMENT_KEEPERS


@require_GET
@requires(*DOCUMENT_KEEPERS)
def health(request: TenantRequest) -> HttpResponse:
    return render(request, index_page.TEMPLATE, index_page.whole(request.principal))


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def cut(request: TenantRequest) -> HttpResponse:
    asked = request.POST.get("colecao", "")
    collection = selectors.collection(who=request.principal, number=asked)
    form = CuttingForm(request.POST, auto_id=f"id_{collection.slug}_%s")
    with keeping_what_was_typed(
        index_page.TEMPLATE, lambda: index_page.whole(request.principal, form)
    ):
        checked(form)
        choosing.choose(admin=request.principal, collection=collection, policy=form.policy())
    messages.success(
        request, _("Gravado. Os documentos da coleção são recortados de novo, aos poucos.")
    )
    return redirect("grounding:index_health")


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def measure(request: TenantRequest) -> HttpResponse:
    checked(ActForm(request.POST))
    choosing.measure_again(admin=request.principal)
    messages.success(request, _("Medição pedida. O resultado aparece aqui em instantes."))
    return redirect("grounding:index_health")
