"""`/perguntar/`: one box, and the way to an explicit command."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from grounding import selectors as knowledge
from opspilot.harness import presenters, selectors, services
from opspilot.presentation.forms import UnknownFieldError, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import ASKERS, UPLOADERS

SHOWN = 20
_FIELDS = frozenset({"pergunta", "colecao", "csrfmiddlewaretoken"})


@require_GET
@requires(*ASKERS)
def index(request: TenantRequest) -> HttpResponse:
    question = kept.fields(request).get("pergunta", "")
    return render(request, "harness/ask.html", _context(request) | {"question": question})


@acts_by_post
@requires(*ASKERS)
@keeps_typed("pergunta", page="../")
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
    questions = selectors.recent_questions(principal=request.principal, limit=SHOWN)
    return {
        "collections": knowledge.collections(),
        "empty": knowledge.document_count() == 0,
        "sends": request.principal.has(*UPLOADERS),
        "questions": presenters.asked(questions),
        "cut": len(questions) == SHOWN,
    }
