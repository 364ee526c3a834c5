"""The run page: question, answer, citations, proposal and timeline; and the way to a proposal."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from approvals import presenters as approval_presenters
from approvals import rules, wording
from approvals import selectors as approvals
from audit import presenters as trail_presenters
from audit import queries
from grounding import selectors as knowledge
from opspilot.harness import selectors, services
from opspilot.harness.forms import CommandForm, ConfirmForm
from opspilot.harness.models import Run, RunState
from opspilot.presentation import days
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.rodadas import presenters
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import ASKERS


@require_GET
@requires()
def run(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = selectors.run(principal=request.principal, ref=ref)
    template = "rodadas/run.html#live" if request.htmx else "rodadas/run.html"
    return render(request, template, _run_context(request, found))


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
def propose(request: TenantRequest, ref: UUID) -> HttpResponse:
    """From an answer: fill in the command, then review exactly what it becomes."""
    found = selectors.own_run(principal=request.principal, ref=ref)
    policy = rules.in_force().document
    if request.method == "GET":
        initial = (
            presenters.written(found) if found.command else presenters.suggestion(found, policy)
        )
        return render(
            request,
            "rodadas/propose.html",
            {"form": CommandForm(policy=policy, initial=initial), "run": found},
        )
    form = CommandForm(request.POST, policy=policy)
    with keeping_what_was_typed("rodadas/propose.html", lambda: {"form": form, "run": found}):
        data = _command(checked(form))
        services.fill_in(principal=request.principal, run=found, **data)
    return _to_review(request, found, data["data"])


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
def command(request: TenantRequest) -> HttpResponse:
    """An explicit command: no question, no model; the same validators and confirmation."""
    policy = rules.in_force().document
    if request.method == "GET":
        return render(request, "rodadas/propose.html", {"form": CommandForm(policy=policy)})
    form = CommandForm(request.POST, policy=policy)
    with keeping_what_was_typed("rodadas/propose.html", lambda: {"form": form}):
        data = _command(checked(form))
        opened = services.open_command(principal=request.principal, **data)
    return _to_review(request, opened, data["data"])


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
def confirm(request: TenantRequest, ref: UUID) -> HttpResponse:
    """The first human act: the requester confirms the parsed, resolved command (I1)."""
    found = selectors.own_run(principal=request.principal, ref=ref)
    if request.method == "POST":
        data = checked(ConfirmForm(request.POST))
        proposal = services.confirm(
            principal=request.principal, run=found, seen_hash=data["acao_hash"]
        )
        return redirect("approvals:detail", proposal.ref)
    draft = services.draft_of(principal=request.principal, run=found)
    context = {
        "run": found,
        "draft": draft,
        "fields": approval_presenters.frozen(draft.action, draft.marker),
        "facts": presenters.draft_facts(draft, services.client_of(found)),
    }
    return render(request, "rodadas/confirm.html", context)


def _to_review(request: TenantRequest, run: Run, typed: dict[str, Any]) -> HttpResponse:
    """The review of what was typed, with a word when it is not stored as it was."""
    if presenters.neutralised(typed, run.command["fields"]):
        messages.warning(
            request,
            _(
                "Parte do texto foi neutralizada. Comandos, menções, imagens ou HTML viraram texto "
                "visível: o destino não os executa."
            ),
        )
    return redirect("rodadas:confirm", run.ref)


def _run_context(request: TenantRequest, found: Run) -> dict[str, Any]:
    proposal = approvals.proposal_of_run(run_id=found.ref)
    row = approvals.with_progress([proposal])[0] if proposal else None
    entries = [
        trail_presenters.entry(line) for line in queries.run_history(correlation_id=found.ref)
    ]
    return {
        "run": found,
        "open": found.state in {RunState.QUEUED, RunState.RUNNING},
        "steps": presenters.steps(found),
        "answer": presenters.answer(found),
        "nearest": presenters.nearest(found),
        "collections": knowledge.collections(),
        "mine": found.requester == request.principal.subject,
        "proposal": proposal,
        "proposal_words": wording.sentence(proposal) if proposal else "",
        "proposal_state": wording.state(proposal, row.execution) if proposal and row else None,
        "asks": request.principal.has(*ASKERS),
        "entries": entries,
        "dated": days.need_dates(entries),
    }


def _command(data: dict[str, Any]) -> dict[str, Any]:
    return {
        "data": {
            "alias": data["alias"],
            "title": data["titulo"],
            "description": data["descricao"],
            "labels": tuple(data["etiquetas"]),
            "assignees": tuple(data["responsaveis"]),
        },
        "justification": data["justificativa"],
        "document": data["cliente"],
    }
