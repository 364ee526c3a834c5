"""Read the stops; press one, as admin or approver; lift it, as admin."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals.stops import stopping
from opspilot.paradas import page
from opspilot.paradas.forms import LiftForm, PressForm
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.principal import Principal

_INDEX, _ONE = "paradas/index.html", "paradas/stop.html"


@require_GET
@requires()
def index(request: TenantRequest) -> HttpResponse:
    form = PressForm(choices=page.choices(), initial=kept.fields(request))
    return render(request, _INDEX, _list(request.principal, form))


@acts_by_post
@requires(*stopping.PRESSERS)
@keeps_typed("alvo", "motivo", page="../")
def press(request: TenantRequest) -> HttpResponse:
    """One press stops: no second person, and no proof of who it is beside the session."""
    form = PressForm(request.POST, choices=page.choices())
    with keeping_what_was_typed(_INDEX, lambda: _list(request.principal, form)):
        data = checked(form)
        scope, subject = form.target()
        made = stopping.press(
            person=request.principal, scope=scope, subject=subject, reason=data["motivo"]
        )
    messages.warning(request, _("Parado. Nada disso começa até um admin levantar a parada."))
    return redirect("paradas:stop", made.ref)


@require_GET
@requires()
def stop(request: TenantRequest, ref: UUID) -> HttpResponse:
    form = LiftForm(initial=kept.fields(request))
    return render(request, _ONE, _detail(request.principal, ref, form))


@acts_by_post
@requires(*stopping.LIFTERS)
@keeps_typed("motivo", page="../")
def lift(request: TenantRequest, ref: UUID) -> HttpResponse:
    found, form = stopping.stop_of(ref=ref), LiftForm(request.POST)
    with keeping_what_was_typed(_ONE, lambda: _detail(request.principal, ref, form)):
        data = checked(form)
        stopping.lift(stop=found, admin=request.principal, reason=data["motivo"])
    words = _(
        "Parada levantada. O que esperava por ela volta à fila; o que passou do prazo não será "
        "executado."
    )
    messages.success(request, words)
    return redirect("paradas:stop", ref)


def _list(principal: Principal, form: PressForm) -> dict[str, Any]:
    return {
        "lines": [page.line(row) for row in stopping.history()],
        "form": form,
        "presses": principal.has(*stopping.PRESSERS),
    }


def _detail(principal: Principal, ref: UUID, form: LiftForm) -> dict[str, Any]:
    line = page.line(stopping.one(ref=ref))
    lifts = principal.has(*stopping.LIFTERS) and line.until is None
    return {"line": line, "ref": ref, "form": form, "lifts": lifts}
