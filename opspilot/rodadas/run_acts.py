"""What a person does with a run that gives no answer: stop it, try it anew, take it over."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from opspilot.errors import NotFoundError
from opspilot.harness import presenters, selectors
from opspilot.harness.running import acts
from opspilot.presentation.forms import ActForm, checked
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import ASKERS, RUN_READERS, TAKERS

SHOWN = 50


@acts_by_post
@requires(*ASKERS)
def stop(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    found = selectors.run(principal=request.principal, ref=ref)
    if not acts.may_stop(request.principal, found):
        raise NotFoundError
    acts.stop(principal=request.principal, run=found)
    messages.success(request, _("Parada pedida. O que já foi feito fica na rodada."))
    return redirect("rodadas:run", ref)


@acts_by_post
@requires(*ASKERS)
def try_anew(request: TenantRequest, ref: UUID) -> HttpResponse:
    return _anew(request, ref, embedded=False)


@acts_by_post
@requires(*ASKERS)
def go_on_embedded(request: TenantRequest, ref: UUID) -> HttpResponse:
    return _anew(request, ref, embedded=True)


@acts_by_post
@requires(*TAKERS)
def take(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    found = selectors.run(principal=request.principal, ref=ref)
    acts.take(principal=request.principal, run=found)
    messages.success(request, _("O pedido está com você."))
    return redirect("rodadas:run", ref)


@require_GET
@requires(*RUN_READERS)
def with_people(request: TenantRequest) -> HttpResponse:
    """What waits for a person: handed over, or in review after an outage."""
    runs = selectors.with_people(limit=SHOWN)
    context = {"runs": presenters.waiting(runs), "cut": len(runs) == SHOWN, "shown": SHOWN}
    return render(request, "rodadas/people.html", context)


def _anew(request: TenantRequest, ref: UUID, *, embedded: bool) -> HttpResponse:
    checked(ActForm(request.POST))
    found = selectors.own_run(principal=request.principal, ref=ref)
    acts.try_anew(principal=request.principal, run=found, embedded=embedded)
    return redirect("rodadas:run", ref)
