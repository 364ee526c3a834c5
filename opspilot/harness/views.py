"""`/perguntar/`: one box, and the way to an explicit command."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from grounding import selectors as knowledge
from opspilot.harness import selectors, services
from opspilot.presentation.forms import UnknownFieldError, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import ASKERS

_FIELDS = frozenset({"pergunta", "colecao", "csrfmiddlewaretoken"})


@require_GET
@requires(*ASKERS)
def index(request: TenantRequest) -> HttpResponse:
    return render(request, "harness/ask.html", _context(request))


@acts_by_post
@requires(*ASKERS)
def ask(request: TenantRequest) -> HttpResponse:
    if set(request.POST) - _FIELDS:
        raise UnknownFieldError
    question = request.POST.get("pergunta", "")
    with keeping_what_was_typed(
        "harness/ask.html", lambda: _context(request) | {"question": question}
    ):
        run = services.ask(
            principal=request.principal,
            question=question,
            collections=request.POST.getlist("colecao"),
        )
    return redirect("rodadas:run", run.ref)


def _context(request: TenantRequest) -> dict[str, Any]:
    return {
        "collections": knowledge.collections(),
        "questions": selectors.recent_questions(principal=request.principal),
    }
