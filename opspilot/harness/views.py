"""`/perguntar/`: one box, and the way to an explicit command."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from grounding import selectors as knowledge
from opspilot.harness import selectors, services
from opspilot.presentation.forms import UnknownFieldError
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.principal import Role

ASKERS = (Role.OPERADOR, Role.APROVADOR, Role.ADMIN)
_FIELDS = frozenset({"pergunta", "colecao", "csrfmiddlewaretoken"})


@require_GET
@requires(*ASKERS)
def index(request: TenantRequest) -> HttpResponse:
    context = {
        "collections": knowledge.collections(),
        "questions": selectors.recent_questions(principal=request.principal),
    }
    return render(request, "harness/ask.html", context)


@require_POST
@requires(*ASKERS)
def ask(request: TenantRequest) -> HttpResponse:
    if set(request.POST) - _FIELDS:
        raise UnknownFieldError
    run = services.ask(
        principal=request.principal,
        question=request.POST.get("pergunta", ""),
        collections=request.POST.getlist("colecao"),
    )
    return redirect("rodadas:run", run.ref)
