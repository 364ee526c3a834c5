"""The policy in force, its drafts, what a draft would change, and the tester."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from approvals import actions, policies, policy_forms, policy_pages, rules
from approvals.authorization import Request, authorize
from approvals.errors import PolicyTooLargeError
from approvals.models import DraftOutcome, PolicyVersion
from opspilot.errors import FormPage, RefusedError
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.reauthentication import ensure_recent
from opspilot.tenancy.roles import POLICY_READERS, POLICY_WRITERS

_EDITOR = "approvals/policy_edit.html"


@require_GET
@requires(*POLICY_READERS)
def index(request: TenantRequest) -> HttpResponse:
    return render(request, "approvals/policies.html", _index(request.principal))


@require_GET
@requires(*POLICY_READERS)
def version(request: TenantRequest, number: int) -> HttpResponse:
    found = policies.version(number=number)
    document = policy_pages.readable(found.document)
    context = {"version": found, "document": document, "facts": policy_pages.facts(document)}
    newest = policies.latest()
    return render(
        request,
        "approvals/policy_version.html",
        context
        | {
            "in_force": newest is not None and newest.pk == found.pk,
            "writes": request.principal.has(*POLICY_WRITERS),
        },
    )


@require_http_methods(["GET", "POST"])
@requires(*POLICY_WRITERS)
def edit(request: TenantRequest) -> HttpResponse:
    """The editor, started from the policy in force or, to go back, from an older version."""
    start = _start(request.GET.get("de", ""))
    if request.method == "GET":
        return render(request, _EDITOR, {"form": _filled(start), "start": start})
    form = policy_forms.PolicyForm(request.POST, projects=policy_forms.rows_in(request.POST))
    try:
        data = checked(form)
        draft = policies.draft(
            author=request.principal,
            document=form.document(),
            reason=data["motivo"],
            based_on=data["base"],
        )
    except RefusedError as exc:  # another version came into force, too: nothing typed is lost
        exc.page = FormPage(_EDITOR, lambda: {"form": form, "start": start})
        raise
    messages.success(request, _("Rascunho gravado. Outro admin o põe em vigor."))
    return redirect("policies:draft", draft.ref)


def _filled(start: PolicyVersion) -> policy_forms.PolicyForm:
    document = policy_pages.readable(start.document)
    if len(document.projects) >= policy_forms.MAX_PROJECTS:
        raise PolicyTooLargeError
    initial = policy_forms.initial(document) | {"base": policies.version_in_force().number}
    return policy_forms.PolicyForm(projects=len(document.projects) + 1, initial=initial)


@require_GET
@requires(*POLICY_READERS)
def draft(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = policies.draft_of(ref=ref)
    newest = policies.latest()
    outdated = newest is not None and newest.number != found.based_on
    open_ = found.outcome == DraftOutcome.ABERTO
    return render(
        request,
        "approvals/policy_draft.html",
        {
            "draft": found,
            "newest": newest,
            "outdated": open_ and outdated,
            "open": open_,
            "changes": policy_pages.differences(newest, found) if open_ and not outdated else [],
            "report": policy_pages.simulate(found) if open_ and not outdated else None,
            "facts": policy_pages.facts(policy_pages.readable(found.document)),
            "mine": found.author == request.principal.subject,
            "writes": request.principal.has(*POLICY_WRITERS),
            "form": policy_forms.DraftActForm(initial={"sha256": found.sha256}),
        },
    )


@acts_by_post
@requires(*POLICY_WRITERS)
def activate(request: TenantRequest, ref: UUID) -> HttpResponse:
    ensure_recent(request)
    data = checked(policy_forms.DraftActForm(request.POST))
    made = policies.activate(
        draft=policies.draft_of(ref=ref), admin=request.principal, seen_sha256=data["sha256"]
    )
    messages.success(request, _("A política %(number)s está em vigor.") % {"number": made.number})
    return redirect("policies:index")


@acts_by_post
@requires(*POLICY_WRITERS)
def discard(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(policy_forms.DraftActForm(request.POST))
    policies.discard(draft=policies.draft_of(ref=ref), admin=request.principal)
    messages.success(request, _("Rascunho descartado. Nada mudou."))
    return redirect("policies:index")


@require_http_methods(["GET", "POST"])
@requires(*POLICY_READERS)
def test(request: TenantRequest) -> HttpResponse:
    """Every rule's answer for one action; nothing is created and nothing is recorded as asked."""
    if request.method == "GET":
        form = policy_forms.TestForm(initial={"papeis": [str(Role.OPERADOR)]})
        return render(request, "approvals/policy_test.html", {"form": form})
    form = policy_forms.TestForm(request.POST)
    with keeping_what_was_typed("approvals/policy_test.html", lambda: {"form": form}):
        data = checked(form)
        command = actions.parse(_asked(data))
        policy = rules.in_force()
    asked = Request(frozenset(Role(r) for r in data["papeis"]), command, data["cobertura"] or None)
    answer = authorize(request=asked, document=policy.document)
    context = {
        "form": form,
        "answer": answer,
        "answer_title": policy_pages.answer_title(answer),
        "outcome": policy_pages.outcome_words(answer.outcome) if answer.outcome else "",
        "policy": policy,
    }
    return render(request, "approvals/policy_test.html", context)


def _asked(data: dict[str, Any]) -> dict[str, Any]:
    """The words of an issue are not what is tested: two that are always allowed stand for them."""
    return {
        "alias": data["alias"],
        "title": "teste",
        "description": "teste",
        "labels": tuple(filter(None, map(str.strip, data["etiquetas"].splitlines()))),
        "assignees": tuple(filter(None, map(str.strip, data["responsaveis"].splitlines()))),
    }


def _index(principal: Principal) -> dict[str, Any]:
    newest = policies.latest()
    document = policy_pages.readable(newest.document) if newest else None
    return {
        "version": newest,
        "document": document,
        "facts": policy_pages.facts(document) if document else [],
        "versions": policies.versions(),
        "drafts": policies.open_drafts(),
        "writes": principal.has(*POLICY_WRITERS),
    }


def _start(number: str) -> PolicyVersion:
    if number.isdecimal() and len(number) < 10:
        return policies.version(number=int(number))
    return policies.version_in_force()
