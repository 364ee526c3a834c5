"""`/conhecimento/bancada/`: production's own search, looked into, labelled and measured."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grounding.access import readable
from grounding.lab import questions, trying
from grounding.lab.errors import SilentEmbedderError
from grounding.lab.trying import Measured
from grounding.models import Fusion
from grounding.pages import lab_page
from grounding.pages.lab_forms import FusionForm, LabAskForm, LabelForm
from opspilot.connectors.errors import UnavailableError
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.tenancy.http import (
    TenantRequest,
    acts_by_post,
    keeps_typed,
    opens_own_scopes,
    requires,
)
from opspilot.tenancy.roles import DOCUMENT_KEEPERS
from opspilot.tenancy.scope import tenant_scope


@require_GET
@requires(*DOCUMENT_KEEPERS)
def index(request: TenantRequest) -> HttpResponse:
    return render(request, lab_page.TEMPLATE, lab_page.whole())


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
@keeps_typed("pergunta", page="../")
def ask(request: TenantRequest) -> HttpResponse:
    form = LabAskForm(request.POST)
    with keeping_what_was_typed(lab_page.TEMPLATE, lambda: lab_page.whole(form)):
        text = checked(form)["pergunta"]
    row = questions.ask(principal=request.principal, text=text)
    return redirect("grounding:lab_question", row.ref)


@opens_own_scopes
@require_GET
@requires(*DOCUMENT_KEEPERS)
def question(request: TenantRequest, ref: UUID) -> HttpResponse:
    about, role = request.GET.get("documento", "")[:255], request.GET.get("papel", "")[:20]
    with tenant_scope(request.principal.tenant_id):
        found = questions.one(ref=ref)
    try:
        page = lab_page.question(
            request.principal, found, about=about if about.isprintable() else "", role=role
        )
    except UnavailableError as exc:
        raise SilentEmbedderError from exc
    with tenant_scope(request.principal.tenant_id):
        return render(request, lab_page.QUESTION, page)


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def label(request: TenantRequest, ref: UUID) -> HttpResponse:
    form = LabelForm(request.POST, documents=lab_page.documents_to_label(request.principal))
    data = checked(form)
    questions.label(
        admin=request.principal,
        question=questions.one(ref=ref),
        documents=data["documentos"],
        none=data["nenhum"],
    )
    messages.success(request, _("Salva como pergunta de teste."))
    return redirect("grounding:lab")


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def drop(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    questions.drop(admin=request.principal, question=questions.one(ref=ref))
    return redirect("grounding:lab")


@opens_own_scopes
@require_GET
@requires(*DOCUMENT_KEEPERS)
def measures(request: TenantRequest) -> HttpResponse:
    page = lab_page.measures(_measured(request))
    with tenant_scope(request.principal.tenant_id):
        return render(request, lab_page.MEASURES, page)


@opens_own_scopes
@acts_by_post
@requires(*DOCUMENT_KEEPERS)
@keeps_typed("motivo", page="../")
def choose(request: TenantRequest) -> HttpResponse:
    """Measured again before anything is published: the figures of a page may be of yesterday."""
    form = FusionForm(request.POST)
    measured = _measured(request)
    with (
        keeping_what_was_typed(lab_page.MEASURES, lambda: lab_page.measures(measured, form)),
        tenant_scope(request.principal.tenant_id),
    ):
        data = checked(form)
        trying.publish(
            admin=request.principal,
            fusion=Fusion(data["fusao"]),
            measured=measured,
            reason=data["motivo"],
        )
    messages.success(request, _("Gravado. As próximas perguntas já usam esta fusão."))
    return redirect("grounding:lab_measures")


def _measured(request: TenantRequest) -> Measured:
    principal = request.principal
    with tenant_scope(principal.tenant_id):
        collections = readable.ids(principal)
    try:
        return trying.measure(tenant_id=principal.tenant_id, collections=collections)
    except UnavailableError as exc:
        raise SilentEmbedderError from exc
