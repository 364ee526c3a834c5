"""What an admin does with a document, and with what a collection gives new ones."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grounding.life import deleting, keeping, linking, retiring
from grounding.life.errors import DocumentGoneError
from grounding.models import Collection, Document, DocumentKind
from grounding.pages import care_page, selectors
from grounding.pages.life_forms import (
    DefaultsForm,
    DeleteForm,
    DescribeForm,
    LinkForm,
    RetireForm,
    UnlinkForm,
)
from opspilot.presentation.forms import ActForm, StrictForm, checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import DOCUMENT_KEEPERS

_DEFAULTS = "grounding/defaults.html"


@require_GET
@requires(*DOCUMENT_KEEPERS)
def care(request: TenantRequest, ref: UUID) -> HttpResponse:
    document = selectors.document(who=request.principal, ref=ref)
    if document.deleted_at is not None:
        return redirect("grounding:document", ref)
    return render(request, care_page.TEMPLATE, care_page.whole(request, document))


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
@keeps_typed("tipo", "dono", "revisar", page="../")
def describe(request: TenantRequest, ref: UUID) -> HttpResponse:
    document = _living(request, ref)
    form = DescribeForm(document, request.POST)
    with _page_around(request, document, "describe_form", form):
        data = checked(form)
        keeping.describe(
            admin=request.principal,
            document=document,
            dono=data["dono"],
            tipo=DocumentKind(data["tipo"]),
            review_by=data["revisar"],
        )
    messages.success(request, _("Gravado."))
    return redirect("grounding:care", ref)


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def link(request: TenantRequest, ref: UUID) -> HttpResponse:
    document = _living(request, ref)
    data = checked(LinkForm(linking.templates(), request.POST))
    linking.link(admin=request.principal, document=document, template=data["tarefa"])
    messages.success(request, _("Documento ligado à tarefa."))
    return redirect("grounding:care", ref)


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def unlink(request: TenantRequest, ref: UUID) -> HttpResponse:
    document = _living(request, ref)
    data = checked(UnlinkForm(request.POST))
    linking.unlink(admin=request.principal, document=document, template=data["tarefa"])
    messages.success(request, _("Documento desligado da tarefa."))
    return redirect("grounding:care", ref)


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
@keeps_typed("motivo", page="../")
def retire(request: TenantRequest, ref: UUID) -> HttpResponse:
    document = _living(request, ref)
    form = RetireForm(request.POST)
    with _page_around(request, document, "retire_form", form):
        data = checked(form)
        retiring.retire(admin=request.principal, document=document, reason=data["motivo"])
    messages.success(request, _("Retirado da busca. Quem o citou continua lendo o texto."))
    return redirect("grounding:document", ref)


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def keep(request: TenantRequest, ref: UUID) -> HttpResponse:
    document = _living(request, ref)
    checked(ActForm(request.POST))
    retiring.keep(admin=request.principal, document=document)
    messages.success(request, _("O documento fica na busca."))
    return redirect("grounding:document", ref)


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
@keeps_typed("motivo", page="../?apagar=sim")
def delete(request: TenantRequest, ref: UUID) -> HttpResponse:
    document = _living(request, ref)
    form = DeleteForm(request.POST)
    with _page_around(request, document, "delete_form", form):
        data = checked(form)
        deleting.delete(
            admin=request.principal, document=document, reason=data["motivo"], seen=data["visto"]
        )
    return redirect("grounding:document", ref)


@require_GET
@requires(*DOCUMENT_KEEPERS)
def defaults(request: TenantRequest) -> HttpResponse:
    return render(request, _DEFAULTS, care_page.defaults(_collections(request)))


@acts_by_post
@requires(*DOCUMENT_KEEPERS)
def set_defaults(request: TenantRequest) -> HttpResponse:
    asked = request.POST.get("colecao", "")
    found = selectors.collection(who=request.principal, number=asked)
    form = DefaultsForm(request.POST, now=found.default_dono, auto_id=f"id_{found.slug}_%s")
    with keeping_what_was_typed(_DEFAULTS, lambda: care_page.defaults(_collections(request), form)):
        data = checked(form)
        count = keeping.set_defaults(
            admin=request.principal,
            collection=found,
            dono=data["dono"],
            tipo=DocumentKind(data["tipo"]),
            review_days=data["dias"],
            existing=data["existentes"],
        )
    messages.success(request, _("Gravado. Documentos que já estavam: %(n)s.") % {"n": count})
    return redirect("grounding:defaults")


def _living(request: TenantRequest, ref: UUID) -> Document:
    document = selectors.document(who=request.principal, ref=ref)
    if document.deleted_at is not None:
        raise DocumentGoneError
    return document


def _collections(request: TenantRequest) -> list[Collection]:
    return list(selectors.collection_rows(who=request.principal))


def _page_around(
    request: TenantRequest, document: Document, name: str, form: StrictForm
) -> AbstractContextManager[None]:
    values: dict[str, Any] = {name: form}
    return keeping_what_was_typed(
        care_page.TEMPLATE, lambda: care_page.whole(request, document, **values)
    )
