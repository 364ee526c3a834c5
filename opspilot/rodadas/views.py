"""The run page: question, answer, citations, proposal and timeline; and the way to a proposal."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from approvals import rules
from approvals.inbox import presenters as approval_presenters
from approvals.inbox import selectors as approvals
from approvals.inbox import wording
from approvals.models import State
from approvals.policy.policy_document import PolicyDocument
from approvals.stops.stop_errors import ScheduleError
from approvals.tasks.task_refusals import PreflightPendingError
from audit.story import presenters as trail_presenters
from audit.story import queries
from grounding.lab import questions
from grounding.pages import selectors as knowledge
from grounding.retrieval import receipts
from opspilot.errors import NotFoundError
from opspilot.harness import presenters as run_list
from opspilot.harness import selectors, services, task_services
from opspilot.harness.forms import CommandForm, ConfirmForm, pointing_at_document
from opspilot.harness.models import Run, RunKind, RunState
from opspilot.harness.running import acts
from opspilot.presentation import days
from opspilot.presentation.addresses import came_from, whole_number
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.rodadas import (
    answers,
    end_words,
    feedback,
    maker_words,
    presenters,
    scheduling,
    step_words,
    task_story,
)
from opspilot.rodadas.task_views import tabs
from opspilot.tenancy import clock, kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import ASKERS, RUN_READERS

# Kept over a lost session: all of the command but the customer's document number (I9).
_WORDS = ("alias", "titulo", "descricao", "justificativa")
_CHOICES = ("etiquetas", "responsaveis")


@require_GET
@requires()
def run(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = selectors.run(principal=request.principal, ref=ref)
    template = "rodadas/run.html#live" if request.htmx else "rodadas/run.html"
    return render(request, template, _run_context(request, found))


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
@keeps_typed(*_WORDS, many=_CHOICES)
def propose(request: TenantRequest, ref: UUID) -> HttpResponse:
    """From an answer: fill in the command, then review exactly what it becomes."""
    found = selectors.own_run(principal=request.principal, ref=ref)
    if "task" in found.command:
        return redirect("rodadas:task_of_run", ref)
    policy = rules.in_force().document
    if request.method == "GET":
        initial = _first(request, found, policy) | kept.fields(request)
        form = CommandForm(policy=policy, initial=initial)
        if found.state == RunState.ASKS and found.command:
            form = CommandForm(initial, policy=policy)  # what is missing is said at its field
        return render(request, "rodadas/propose.html", {"form": form, "run": found})
    form = CommandForm(request.POST, policy=policy)
    with keeping_what_was_typed(
        "rodadas/propose.html", lambda: {"form": pointing_at_document(form), "run": found}
    ):
        data = _command(checked(form))
        services.fill_in(principal=request.principal, run=found, **data)
    return _to_review(request, found, data["data"])


def _first(request: TenantRequest, found: Run, policy: PolicyDocument) -> dict[str, Any]:
    """What the form begins with: the command as it stands, or what the answer suggests."""
    if found.command:
        return presenters.written(found)
    readable = knowledge.collection_ids(who=request.principal)
    return presenters.suggestion(found, policy, readable=readable)


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
@keeps_typed(*_WORDS, many=_CHOICES)
def command(request: TenantRequest) -> HttpResponse:
    """An explicit command: no question, no model; the same validators and confirmation."""
    policy = rules.in_force().document
    if request.method == "GET":
        blank = CommandForm(policy=policy, initial=kept.fields(request))
        return render(request, "rodadas/propose.html", {"form": blank, "tabs": tabs("issue")})
    form = CommandForm(request.POST, policy=policy)
    with keeping_what_was_typed(
        "rodadas/propose.html",
        lambda: {"form": pointing_at_document(form), "tabs": tabs("issue")},
    ):
        data = _command(checked(form))
        opened = services.open_command(principal=request.principal, **data)
    return _to_review(request, opened, data["data"])


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
def confirm(request: TenantRequest, ref: UUID) -> HttpResponse:
    """The first human act: the requester confirms the parsed, resolved command (I1)."""
    found = selectors.own_run(principal=request.principal, ref=ref)
    try:
        return _confirm(request, found)
    except PreflightPendingError:
        # What was read of the template is too old to rest on: the run page waits for another look.
        task_services.check_again(principal=request.principal, run=found)
        return redirect("rodadas:run", ref)
    except ScheduleError as exc:  # another policy leaves less time than the chosen start
        exc.facts["back_url"] = reverse("rodadas:run", args=[ref])
        raise


def _confirm(request: TenantRequest, found: Run) -> HttpResponse:
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
        "why": presenters.why(found),
        "body": presenters.sent_body(draft),
        **scheduling.context(draft, kept.fields(request)),
    }
    return render(request, "rodadas/confirm.html", context)


@require_GET
@requires(*RUN_READERS)
def proposal(request: TenantRequest, ref: UUID) -> HttpResponse:
    """From a run to its proposal, for rooms that know runs only."""
    found = approvals.proposal_of_run(run_id=ref)
    if found is None:
        raise NotFoundError
    return redirect("approvals:detail", found.ref)


@acts_by_post
@requires(*ASKERS)
def again(request: TenantRequest, ref: UUID) -> HttpResponse:
    """What was not done, asked again: sent back, it is changed first; else it is only confirmed."""
    checked(ActForm(request.POST))
    found = selectors.own_run(principal=request.principal, ref=ref)
    before = approvals.proposal_of_run(run_id=ref)
    opened = services.ask_again(principal=request.principal, run=found)
    sent_back = before is not None and before.estado == State.DEVOLVIDA
    return redirect("rodadas:propose" if sent_back else "rodadas:confirm", opened.ref)


def _to_review(request: TenantRequest, run: Run, typed: dict[str, Any]) -> HttpResponse:
    """The review of what was typed, with a word when it is not stored as it was."""
    if presenters.neutralised(typed, run.command["fields"]):
        messages.warning(
            request,
            _(
                "Parte do texto foi neutralizada. Comandos, menções, imagens, HTML ou links que a "
                "política não permite viraram texto visível: o destino não os executa."
            ),
        )
    return redirect("rodadas:confirm", run.ref)


def _run_context(request: TenantRequest, found: Run) -> dict[str, Any]:
    proposal = approvals.proposal_of_run(run_id=found.ref)
    row = approvals.with_progress([proposal])[0] if proposal else None
    entries = [
        trail_presenters.entry(line) for line in queries.run_history(correlation_id=found.ref)
    ]
    story = task_story.of(found, proposal, row.execution if row else None)
    readable = knowledge.collection_ids(who=request.principal)
    shown = answers.answer(
        found,
        readable=readable,
        opened=whole_number(request.GET.get("citacao"), most=999),
    )
    return {
        "run": found,
        "open": found.state in {RunState.QUEUED, RunState.RUNNING},
        "task": story,
        "taken_steps": step_words.entries(found) if found.kind == RunKind.QUESTION else [],
        "ending": None if proposal else end_words.of(found),
        "why": "" if proposal else presenters.why(found),
        "title": run_list.title(found),
        "may_stop": acts.may_stop(request.principal, found) and request.principal.has(*ASKERS),
        "may_take": acts.may_take(request.principal, found),
        "pace": story.pace if story else "",
        "steps": presenters.steps(found),
        "waited": presenters.waited(found, clock.now()),
        "answer": shown,
        "copied": answers.copied(shown, request.build_absolute_uri) if shown else "",
        "nearest": answers.nearest(found, readable=readable),
        "receipt": receipts.of_run(principal=request.principal, run=found.ref),
        "feedback": feedback.DidNotHelpForm() if found.state in feedback.ANSWERED else None,
        "helped_not": questions.helped_not(run=found.ref),
        "made_by": maker_words.made_by(found),
        "made_note": maker_words.note(found),
        "refused": maker_words.refusal(found),
        "mine": found.requester == request.principal.subject,
        "proposal": proposal,
        "proposal_words": wording.sentence(proposal) if proposal else "",
        "proposal_state": wording.state(proposal, row.execution, row.effect)
        if proposal and row
        else None,
        "asks": request.principal.has(*ASKERS),
        "came_from": came_from(
            request.headers.get("Referer", ""),
            host=request.get_host(),
            under=reverse("audit:start"),
            here=request.path,
        ),
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
