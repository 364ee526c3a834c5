"""The way to a task's proposal: the form, what was pasted, and another look at the template."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals import rules
from approvals.inbox import selectors as approvals
from approvals.inbox import wording
from approvals.policy.outcomes import named
from approvals.tasks import task_command
from approvals.tasks.task_refusals import UnknownFieldsError
from opspilot.errors import NotFoundError
from opspilot.harness import selectors, task_forms, task_services
from opspilot.harness.forms import pointing_at_document
from opspilot.harness.models import Run, RunState
from opspilot.harness.running import preparing
from opspilot.harness.task_forms import TaskForm
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.presentation.shapes import Tab
from opspilot.rodadas import end_words
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.roles import ASKERS

PAGE = "harness/task.html"


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
@keeps_typed(*task_forms.KEPT)
def task(request: TenantRequest) -> HttpResponse:
    """An explicit task: no question, no model; then the template is read, and it is confirmed."""
    policy = rules.in_force().document
    if request.method == "GET":
        asked = request.GET.get("template_id", "")[:80]
        first = {"template_id": asked} if asked else {}
        form = TaskForm(policy=policy, initial=first | kept.fields(request))
        return render(request, PAGE, _context(request, form))
    form = TaskForm(request.POST, policy=policy)
    with keeping_what_was_typed(PAGE, lambda: _context(request, form)):
        run = task_services.open_task(
            principal=request.principal, source="formulario", **_given(form)
        )
    return redirect("rodadas:run", run.ref)


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
@keeps_typed(*task_forms.KEPT)
def task_of_run(request: TenantRequest, ref: UUID) -> HttpResponse:
    """Correct the command of a run that has not been proposed yet."""
    run = selectors.own_run(principal=request.principal, ref=ref)
    policy, fixed = rules.in_force().document, "undoes" in run.command
    if request.method == "GET":
        command = task_command.read(run.command.get("task", {}))
        why = run.command.get("justification") or _said(run)
        typed = task_forms.initial_of(command, policy, why)
        kept_before = {} if fixed else kept.fields(request)
        form = TaskForm(policy=policy, fixed=fixed, initial=typed | kept_before)
        missing = {"unsaid": end_words.missing_words(run)} if run.state == RunState.ASKS else {}
        return render(request, PAGE, _context(request, form, run) | missing)
    form = TaskForm(request.POST, policy=policy, fixed=fixed)
    with keeping_what_was_typed(PAGE, lambda: _context(request, form, run)):
        task_services.fill_in(
            principal=request.principal, run=run, source="formulario", **_given(form)
        )
    return redirect("rodadas:run", run.ref)


@acts_by_post
@requires(*ASKERS)
def check(request: TenantRequest, ref: UUID) -> HttpResponse:
    """Have the template read again."""
    checked(ActForm(request.POST))
    run = selectors.own_run(principal=request.principal, ref=ref)
    task_services.check_again(principal=request.principal, run=run)
    return redirect("rodadas:run", run.ref)


@acts_by_post
@requires(*ASKERS)
def undo(request: TenantRequest, ref: UUID) -> HttpResponse:
    """From a task that ended as approved to the one that is declared to undo it."""
    checked(ActForm(request.POST))
    done = approvals.proposal_of_run(run_id=ref)
    if done is None:
        raise NotFoundError
    run = task_services.open_undo(principal=request.principal, proposal=done)
    return redirect("rodadas:task_of_run", run.ref)


def _said(run: Run) -> str:
    """Of a run that asks for the rest: its request is the reason until somebody writes another."""
    return preparing.reason(run) if run.state == RunState.ASKS else ""


def tabs(current: str) -> list[Tab]:
    """The two kinds of explicit command."""
    return [
        Tab(_("Issue"), reverse("rodadas:command"), current == "issue"),
        Tab(_("Tarefa"), reverse("rodadas:task"), current == "tarefa"),
    ]


def _given(form: TaskForm) -> dict[str, Any]:
    unknown = form.unknown_fields()
    if unknown:
        raise UnknownFieldsError(named(_("Campo que nenhum template tem: %(name)s."), unknown))
    data = checked(form)
    return {"command": form.command(), "why": data["justificativa"], "document": data["cliente"]}


def _context(request: TenantRequest, form: TaskForm, run: Run | None = None) -> dict[str, Any]:
    if form.is_bound:
        form.is_valid()
        command = form.command()
        form.point_out(task_services.impossible(principal=request.principal, command=command))
        pointing_at_document(form)
    undone = task_services.original_of(run) if run else None
    return {
        "form": form,
        "run": run,
        "tabs": [] if run else tabs("tarefa"),
        "undone": undone,
        "undone_sentence": wording.sentence(undone) if undone else "",
    }
