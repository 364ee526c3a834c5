"""Read what the last checks found; have them made again, as admin."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from opspilot.conectores import checks, page
from opspilot.presentation.forms import ActForm, checked
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import CONNECTOR_CHECKERS, CONNECTOR_READERS


@require_GET
@requires(*CONNECTOR_READERS)
def index(request: TenantRequest) -> HttpResponse:
    context = {
        "cards": page.cards(clock.now()),
        "presses": request.principal.has(*CONNECTOR_CHECKERS),
    }
    return render(request, "conectores/index.html", context)


@acts_by_post
@requires(*CONNECTOR_CHECKERS)
def press(request: TenantRequest) -> HttpResponse:
    checked(ActForm(request.POST))
    checks.press()
    messages.success(request, _("Conferência pedida. O resultado aparece aqui em instantes."))
    return redirect("conectores:index")
