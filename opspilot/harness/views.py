"""`/perguntar/`: one box, and the way to an explicit command."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from approvals import rules
from approvals.tasks import task_paste
from approvals.tasks.task_paste import Pasted
from grounding.pages import selectors as knowledge
from opspilot.harness import presenters, selectors, services, task_forms, task_services
from opspilot.harness.task_forms import TaskForm
from opspilot.presentation.forms import UnknownFieldError, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import ASKERS, RUN_READERS, UPLOADERS

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
    pasted = task_paste.read(question)
    if pasted is not None:
        return _pasted(request, pasted, question)
    with keeping_what_was_typed(
        "harness/ask.html", lambda: _context(request) | {"question": question}
    ):
        run = services.ask(
            principal=request.principal,
            question=question,
            collections=request.POST.getlist("colecao"),
        )
    return redirect("rodadas:run", run.ref)


def _pasted(request: TenantRequest, pasted: Pasted, question: str) -> HttpResponse:
    """A command is no question: it goes on as one, or to the form that asks for what it lacks."""
    command, why = pasted.command, pasted.why
    with keeping_what_was_typed(
        "harness/ask.html", lambda: _context(request) | {"question": question}
    ):
        unsaid = task_services.missing(command=command, why=why)
        if not unsaid:
            run = task_services.open_task(
                principal=request.principal, command=command, why=why, document="", source="colado"
            )
            return redirect("rodadas:run", run.ref)
    policy = rules.in_force().document
    form = TaskForm(task_forms.initial_of(command, policy, why), policy=policy)
    form.point_out(task_services.impossible(principal=request.principal, command=command))
    return render(
        request,
        "harness/task.html",
        {"form": form, "unsaid": task_services.missing_words(unsaid)},
    )


def _context(request: TenantRequest) -> dict[str, Any]:
    runs = selectors.recent(principal=request.principal, limit=SHOWN)
    return {
        "collections": knowledge.collections(who=request.principal),
        "empty": knowledge.document_count(who=request.principal) == 0,
        "sends": request.principal.has(*UPLOADERS),
        "questions": presenters.asked(runs),
        "cut": len(runs) == SHOWN,
        "reads_others": request.principal.has(*RUN_READERS),
    }
