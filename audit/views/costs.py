"""`/trilha/custos/`: what each agent cost, day by day, and what the models cost."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from audit.costs import page, prices
from audit.costs.price_form import PriceForm
from audit.reports.kinds import ParametersError
from opspilot.errors import FormPage, InvalidInputError
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import POLICY_WRITERS, TRAIL_READERS

_PAGE = "audit/costs.html"


@require_GET
@requires(*TRAIL_READERS)
def index(request: TenantRequest) -> HttpResponse:
    """A refusal shows the page again with the fields as they were and what is wrong."""
    raw, form = request.GET.dict(), PriceForm(initial=kept.fields(request))
    try:
        context = page.answered(request.principal, raw)
    except InvalidInputError as exc:
        faults = exc.faults if isinstance(exc, ParametersError) else {}
        exc.page = FormPage(_PAGE, lambda: page.blank(raw, faults) | _prices(request, form))
        raise
    return render(request, _PAGE, context | _prices(request, form))


@acts_by_post
@requires(*POLICY_WRITERS)
@keeps_typed("modelo", "desde", "entrada", "saida", page="../")
def price(request: TenantRequest) -> HttpResponse:
    form = PriceForm(request.POST)
    with keeping_what_was_typed(_PAGE, lambda: page.blank({}, {}) | _prices(request, form)):
        data = checked(form)
        prices.add(
            admin=request.principal,
            model=data["modelo"],
            since=data["desde"],
            centavos_in=data["entrada"],
            centavos_out=data["saida"],
        )
    messages.success(request, _("Preço registrado. Os anteriores ficam como estão."))
    return redirect("audit:costs")


def _prices(request: TenantRequest, form: PriceForm) -> dict[str, Any]:
    return {
        "prices": prices.listed(),
        "price_form": form,
        "writes": request.principal.has(*POLICY_WRITERS),
    }
