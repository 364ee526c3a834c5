"""`/agentes/orcamentos/`: what models may cost, read by who reads agents and given by admins."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from opspilot.budgets import limits, page
from opspilot.budgets.forms import LimitForm
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import AGENT_READERS, POLICY_WRITERS

_PAGE = "budgets/index.html"


@require_GET
@requires(*AGENT_READERS)
def index(request: TenantRequest) -> HttpResponse:
    return render(request, _PAGE, _context(request, LimitForm(initial=kept.fields(request))))


@acts_by_post
@requires(*POLICY_WRITERS)
@keeps_typed("alvo", "agente", "reais", "motivo", page="../")
def give(request: TenantRequest) -> HttpResponse:
    form = LimitForm(request.POST)
    with keeping_what_was_typed(_PAGE, lambda: _context(request, form)):
        checked(form)
        limits.give(admin=request.principal, given=form.given())
    messages.success(request, _("Limite definido. Vale para a próxima consulta a um modelo."))
    return redirect("budgets:index")


def _context(request: TenantRequest, form: LimitForm) -> dict[str, Any]:
    return {
        "lines": page.lines(),
        "form": form,
        "writes": request.principal.has(*POLICY_WRITERS),
        "models": [one["model"] for one in settings.OPSPILOT_PROVIDERS],
    }
