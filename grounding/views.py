"""The knowledge page, the upload, and a document at a passage."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grounding import presenters, selectors, uploads, wording
from grounding.decoding import MAX_BYTES
from grounding.forms import UploadForm
from grounding.uploads import File
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import UPLOADERS


@require_GET
@requires()
def index(request: TenantRequest) -> HttpResponse:
    template = "grounding/index.html#live" if request.htmx else "grounding/index.html"
    return render(request, template, _index_context(request))


@acts_by_post
@requires(*UPLOADERS)
def upload(request: TenantRequest) -> HttpResponse:
    form = UploadForm(request.POST, request.FILES)
    with keeping_what_was_typed(
        "grounding/index.html", lambda: _index_context(request) | {"form": form}
    ):
        data = checked(form)
        collection = uploads.collection(principal=request.principal, slug=data["colecao"])
        rows = uploads.accept(
            principal=request.principal,
            collection=collection,
            files=[_file(file) for file in data["arquivos"]],
        )
    return redirect(f"{reverse('grounding:index')}?envio={rows[0].batch}#envio")


@require_GET
@requires()
def document(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = selectors.document(ref=ref)
    version = selectors.version(document=found, number=_number(request.GET.get("versao")))
    span = (_number(request.GET.get("de")), _number(request.GET.get("ate")))
    context = {
        "document": found,
        "version": version,
        "collection": found.collection,
        "reading": presenters.reading(
            version,
            selectors.chunk(version=version, number=_number(request.GET.get("trecho"))),
            span,
        ),
        "facts": presenters.facts(version),
    }
    return render(request, "grounding/document.html", context)


def _index_context(request: TenantRequest) -> dict[str, Any]:
    batch = _batch(request.GET.get("envio", ""))
    files = selectors.uploads(batch=batch, limit=100 if batch else 8)
    if batch:
        files.reverse()  # in the order the person chose them
    collections = selectors.collections()
    documents, total = selectors.documents(), selectors.document_count()
    admin = request.principal.has(*UPLOADERS)
    return {
        "files": [(row, wording.state(row), wording.detail(row)) for row in files] if admin else [],
        "open": any(row.finished_at is None for row in files),
        "batch": batch,
        "admin": admin,
        "form": UploadForm(initial={"colecao": collections[0].slug if collections else ""}),
        "documents": [(row, wording.findings(row.version.findings)) for row in documents],
        "total": total,
        "shown": _shown(len(documents), total),
    }


def _shown(count: int, total: int) -> str:
    """How much of the list is on the page; empty when it is all of it."""
    if count >= total:
        return ""
    return _("%(first)s a %(last)s de %(total)s") % {"first": 1, "last": count, "total": total}


def _file(file: UploadedFile[Any]) -> File:
    """A file over the limit is refused by its size and never read into memory."""
    size = file.size or 0
    return File(file.name or "", size, None if size > MAX_BYTES else file.read())


def _batch(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None
