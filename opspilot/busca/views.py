"""`/busca/`: one box for pages, approvals, documents, runs and customers.

What may name a person is answered where it was posted; only plain words get an address (I9).
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from audit import entities, readings
from audit.entities import Document
from audit.masking import mask
from opspilot.busca import selectors, typed
from opspilot.presentation.forms import UnknownFieldError
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import TRAIL_READERS

LONGEST_DOCUMENT = 32
_FIELDS = frozenset({"q", "csrfmiddlewaretoken"})


@require_http_methods(["GET", "POST"])
@requires()
def index(request: TenantRequest) -> HttpResponse:
    if request.method == "POST":
        return _post(request)
    text = typed.tidy(request.GET.get("q", ""))
    if typed.is_personal(text):
        messages.warning(request, _kept_out())
        return redirect("busca:index")
    if address := _by_id(request.principal, text):
        return redirect(address)
    return render(request, "busca/index.html", _results(request.principal, text))


def _post(request: TenantRequest) -> HttpResponse:
    if set(request.POST) - _FIELDS:
        raise UnknownFieldError
    text = typed.tidy(request.POST.get("q", ""))
    document = _document(text)
    found = document and _customer(request.principal, document)
    if address := found or _by_id(request.principal, text):
        return redirect(address)
    if document or typed.is_personal(text):
        context = _results(request.principal, text) | {"q": "", "said": ""}
        notice = _notice(request.principal, text, document, found=bool(context["groups"]))
        return render(request, "busca/index.html", context | {"notice": notice})
    words = text[: typed.LONGEST]
    return redirect(
        f"{reverse('busca:index')}?{urlencode({'q': words})}" if words else "busca:index"
    )


def _by_id(principal: Principal, text: str) -> str:
    ref = typed.as_uuid(text)
    return selectors.page_of(principal=principal, ref=ref) if ref else ""


def _document(text: str) -> Document | None:
    try:
        return entities.parse_document(text) if len(text) <= LONGEST_DOCUMENT else None
    except entities.InvalidDocumentError:
        return None


def _customer(principal: Principal, document: Document) -> str:
    """The history behind a document number, for those who may read it; the address has neither."""
    if not principal.has(*TRAIL_READERS):
        return ""
    found = entities.find(document=document)
    readings.record_lookup(principal, found)
    return reverse("audit:entity", args=[found.type, found.ref]) if found else ""


def _results(principal: Principal, text: str) -> dict[str, Any]:
    words = text[: typed.LONGEST]
    return {
        "q": words,
        "said": mask(words),
        "cut": len(text) > typed.LONGEST,
        "short": 0 < len(words) < typed.SHORTEST,
        "groups": selectors.groups(principal=principal, text=words),
    }


def _notice(
    principal: Principal, text: str, document: Document | None, *, found: bool
) -> dict[str, str]:
    """What is said where the text must not be written back."""
    if document and not principal.has(*TRAIL_READERS):
        title = _("O histórico de um cliente é lido por quem abre a trilha")
        return {"title": title, "text": _("Peça a um auditor, aprovador ou admin.")}
    if document:
        title = _("Nenhum registro de %(document)s") % {"document": document.masked}
        text = _(
            "Nenhum cadastro com este documento. Uma identidade apagada só se acha pelo identificador."
        )
        return {"title": title, "text": text}
    if typed.is_document_number(text):
        title = _("Não é um CPF nem um CNPJ válido")
        return {"title": title, "text": _("Confira os dígitos e busque de novo.")}
    title = _("O que foi encontrado") if found else _("Nada encontrado")
    why = _("O texto pode identificar uma pessoa, por isso não fica no endereço nem no título.")
    return {"title": title, "text": why}


def _kept_out() -> str:
    return _(
        "Busque este texto pela caixa, e não pelo endereço: ele pode identificar uma pessoa, e um "
        "endereço fica gravado no navegador."
    )
