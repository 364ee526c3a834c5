"""The folders and repositories that collections are kept from."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grounding.access import readable
from grounding.models import OnRemoval, SourceKind, SyncSource
from grounding.pages import sources_page
from grounding.pages.source_forms import PickForm, SourceForm
from grounding.sync import sources
from opspilot.errors import NotFoundError
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import DOCUMENT_KEEPERS


@require_GET
@requires(*DOCUMENT_KEEPERS)
def index(request: TenantRequest) -> HttpResponse:
    return render(request, sources_page.TEMPLATE, sources_page.whole(request))


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
@keeps_typed("colecao", "forma", "caminho", "ramo", "remocao", "minutos", page="../")
def add(request: TenantRequest) -> HttpResponse:
    form = SourceForm(request.POST)
    with keeping_what_was_typed(sources_page.TEMPLATE, lambda: sources_page.whole(request, form)):
        data = checked(form)
        sources.add(
            admin=request.principal,
            slug=data["colecao"],
            kind=SourceKind(data["forma"]),
            path=data["caminho"],
            branch=data["ramo"],
            on_removal=OnRemoval(data["remocao"]),
            every_minutes=data["minutos"],
        )
    messages.success(request, _("Fonte incluída. A primeira leitura começa agora."))
    return redirect("grounding:sources")


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def run_now(request: TenantRequest) -> HttpResponse:
    sources.run_now(admin=request.principal, source=_picked(request))
    messages.success(request, _("A leitura começa em instantes."))
    return redirect("grounding:sources")


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def pause(request: TenantRequest) -> HttpResponse:
    sources.pause(admin=request.principal, source=_picked(request))
    messages.success(request, _("Fonte desligada. Os documentos ficam."))
    return redirect("grounding:sources")


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def resume(request: TenantRequest) -> HttpResponse:
    sources.resume(admin=request.principal, source=_picked(request))
    messages.success(request, _("Fonte ligada. A leitura começa em instantes."))
    return redirect("grounding:sources")


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def remove(request: TenantRequest) -> HttpResponse:
    sources.remove(admin=request.principal, source=_picked(request))
    messages.success(request, _("Fonte retirada. Os documentos ficam como estão."))
    return redirect("grounding:sources")


def _picked(request: TenantRequest) -> SyncSource:
    source = sources.get(checked(PickForm(request.POST))["fonte"])
    if source.collection_id not in readable.ids(request.principal):
        raise NotFoundError
    return source
