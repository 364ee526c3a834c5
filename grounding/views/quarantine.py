"""`/conhecimento/quarentena/`: the files that wait for an admin, one of them, and the two decisions."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from grounding.intake import quarantine
from grounding.models import Upload
from grounding.pages import quarantine_page
from grounding.pages.forms import ReviewForm
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import UPLOADERS

PAGE = "grounding/quarantined.html"


@require_GET
@requires(*UPLOADERS)
def waiting(request: TenantRequest) -> HttpResponse:
    return render(request, "grounding/quarantine.html", quarantine_page.listing(request.principal))


@require_GET
@requires(*UPLOADERS)
def quarantined(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = quarantine_page.one(request.principal, ref)
    return render(request, PAGE, quarantine_page.shown(found))


@acts_by_post
@requires(*UPLOADERS)
@keeps_typed("motivo", page="../")
def release(request: TenantRequest, ref: UUID) -> HttpResponse:
    return _decided(request, ref, "release", quarantine.release)


@acts_by_post
@requires(*UPLOADERS)
@keeps_typed("motivo", page="../")
def refuse(request: TenantRequest, ref: UUID) -> HttpResponse:
    return _decided(request, ref, "refuse", quarantine.refuse)


def _decided(
    request: TenantRequest, ref: UUID, name: str, decide: Callable[..., None]
) -> HttpResponse:
    form = ReviewForm(request.POST, auto_id="liberar_%s" if name == "release" else "recusar_%s")

    def page() -> dict[str, object]:
        found: Upload = quarantine_page.one(request.principal, ref)
        return quarantine_page.shown(found) | {name: form}

    with keeping_what_was_typed(PAGE, page):
        data = checked(form)
        decide(
            principal=request.principal,
            upload=quarantine_page.one(request.principal, ref),
            seal=data["selo"],
            reason=data["motivo"],
        )
    return redirect("grounding:quarantine")
