"""`/trilha/amostras/`: drawn proofs of a quarter, asked for, followed and taken along."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals.proof import pack_asking, pack_page, sampling
from approvals.proof.pack_form import PackForm
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import PACK_ASKERS

_PAGE = "approvals/proof_packs.html"


@require_GET
@requires(*PACK_ASKERS)
def index(request: TenantRequest) -> HttpResponse:
    """The list polls itself while one is being built; the link on it does the same."""
    context = _context(PackForm(initial=kept.fields(request)))
    return render(request, f"{_PAGE}#packs" if request.htmx else _PAGE, context)


@acts_by_post
@requires(*PACK_ASKERS)
@keeps_typed("trimestre", "quantidade", "semente", page="../")
def ask(request: TenantRequest) -> HttpResponse:
    form = PackForm(request.POST)
    with keeping_what_was_typed(_PAGE, lambda: _context(form)):
        data = checked(form)
        pack_asking.ask(
            person=request.principal,
            of=sampling.quarter(data["trimestre"]),
            size=data["quantidade"],
            seed=data["semente"],
        )
    messages.success(request, _("Na fila. O arquivo aparece nesta página quando estiver pronto."))
    return redirect("packs:index")


@acts_by_post
@requires(*PACK_ASKERS)
def take(request: TenantRequest, ref: UUID) -> HttpResponseBase:
    """By POST, so that nothing fetches it ahead. The file is sent after the transaction ended."""
    checked(ActForm(request.POST))
    pack, path = pack_asking.take_along(person=request.principal, ref=ref)
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=f"amostra-{pack.quarter}-{str(pack.ref)[:8]}.zip",
        content_type="application/zip",
    )


def _context(form: PackForm) -> dict[str, Any]:
    lines = pack_page.listing()
    return {"form": form, "lines": lines, "is_open": any(line.is_open for line in lines)}
