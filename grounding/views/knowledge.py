"""The knowledge page, the upload, and a document at a passage."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from uuid import UUID

from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from grounding.intake import uploads
from grounding.pages import document_page, knowledge_page, selectors
from grounding.pages.forms import RetryForm, UploadForm
from opspilot.errors import InvalidInputError
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import UPLOADERS


class ForeignBatchError(InvalidInputError):
    """The batch was begun by another person, or in another company."""

    code = "envio_de_outra_pessoa"
    what = _("Este envio começou em outra sessão. Nada foi guardado.")
    next_step = _("Abra a página de novo e repita o envio.")


@require_GET
@requires()
def index(request: TenantRequest) -> HttpResponse:
    if request.htmx:
        return render(request, "grounding/index.html#live", knowledge_page.live(request))
    return render(request, "grounding/index.html", knowledge_page.whole(request))


@acts_by_post
@requires(*UPLOADERS)
@keeps_typed("colecao", files=True, page="../")
def upload(request: TenantRequest) -> HttpResponse:
    """One request takes one file of the script's, or all that a form without it sends."""
    form = UploadForm(request.POST, request.FILES)
    with _page_around(request, form):
        data = checked(form)
        batch = _batch(request.principal, data["envio"])
        uploads.accept(
            principal=request.principal,
            collection=uploads.collection(principal=request.principal, slug=data["colecao"]),
            files=form.files_sent(),
            batch=batch,
        )
    if request.htmx:
        return HttpResponse(status=201)
    return redirect(_batch_url(batch))


@acts_by_post
@requires(*UPLOADERS)
def retry(request: TenantRequest) -> HttpResponse:
    data = checked(RetryForm(request.POST))
    row = uploads.retry(principal=request.principal, ref=data["arquivo"])
    return redirect(_batch_url(row.batch))


@require_GET
@requires()
def document(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = selectors.document(who=request.principal, ref=ref)
    if found.deleted_at is not None:
        return render(request, "grounding/deleted.html", document_page.tombstone(found), status=410)
    return render(request, "grounding/document.html", document_page.whole(request, found))


def _page_around(request: TenantRequest, form: UploadForm) -> AbstractContextManager[None]:
    """A refused form is drawn in its page again; the script wants the reason alone."""
    if request.htmx:
        return nullcontext()
    return keeping_what_was_typed(
        "grounding/index.html", lambda: knowledge_page.whole(request) | {"form": form}
    )


def _batch(principal: Principal, token: str) -> UUID:
    try:
        return knowledge_page.batch_of(principal, token)
    except signing.BadSignature as exc:
        raise ForeignBatchError from exc


def _batch_url(batch: UUID) -> str:
    return f"{reverse('grounding:index')}?envio={batch}#envio"
