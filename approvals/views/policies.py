"""The policy in force, its drafts, what a draft would change, and the tester."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from approvals import policies, rules
from approvals.agents import standing
from approvals.errors import PolicyTooLargeError
from approvals.models import DraftOutcome, PolicyVersion
from approvals.policy import policy_external_words, policy_forms, policy_pages
from approvals.policy.policy_document import PolicyDocument
from approvals.stops import reach
from opspilot.errors import FormPage, RefusedError
from opspilot.presentation.addresses import whole_number
from opspilot.presentation.forms import checked
from opspilot.tenancy import clock, kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.reauthentication import ensure_recent
from opspilot.tenancy.roles import POLICY_READERS, POLICY_WRITERS

_EDITOR = "approvals/policy_edit.html"
_FIELDS, _CHOICES = policy_forms.typed()


@require_GET
@requires(*POLICY_READERS)
def index(request: TenantRequest) -> HttpResponse:
    return render(request, "approvals/policies.html", _index(request.principal))


@require_GET
@requires(*POLICY_READERS)
def version(request: TenantRequest, number: int) -> HttpResponse:
    found = policies.version(number=number)
    document = rules.readable(found.document)
    newest = policies.latest()
    return render(
        request,
        "approvals/policy_version.html",
        _shown(document)
        | {
            "version": found,
            "in_force": newest is not None and newest.pk == found.pk,
            "writes": request.principal.has(*POLICY_WRITERS),
        },
    )


@require_http_methods(["GET", "POST"])
@requires(*POLICY_WRITERS)
@keeps_typed(*_FIELDS, many=_CHOICES)
def edit(request: TenantRequest) -> HttpResponse:
    """The editor, started from the policy in force or, to go back, from an older version."""
    start = _start(request.GET.get("de", ""))
    if request.method == "GET":
        form = _filled(start, kept.fields(request))
        return render(request, _EDITOR, {"form": form, "start": start})
    form = policy_forms.posted(request.POST)
    try:
        data = checked(form)
        draft = policies.draft(
            author=request.principal,
            document=form.document(start.document),
            reason=data["motivo"],
            based_on=data["base"],
        )
    except RefusedError as exc:  # another version came into force, too: nothing typed is lost
        exc.page = FormPage(_EDITOR, lambda: {"form": form, "start": start})
        raise
    messages.success(request, _("Rascunho gravado. Outro admin o põe em vigor."))
    return redirect("policies:draft", draft.ref)


def _filled(start: PolicyVersion, typed: dict[str, Any]) -> policy_forms.PolicyForm:
    document = rules.readable(start.document)
    if not policy_forms.fits(document):
        raise PolicyTooLargeError
    return policy_forms.opened(document, base=policies.version_in_force().number, kept=typed)


@require_GET
@requires(*POLICY_READERS)
def draft(request: TenantRequest, ref: UUID) -> HttpResponse:
    found = policies.draft_of(ref=ref)
    newest = policies.latest()
    outdated = newest is not None and newest.number != found.based_on
    open_ = found.outcome == DraftOutcome.ABERTO
    replayed = open_ and not outdated
    document = rules.readable(found.document)
    mine = found.author == request.principal.subject
    writes = request.principal.has(*POLICY_WRITERS)
    only, page = request.GET.get("so", ""), whole_number(request.GET.get("pagina")) or 0
    return render(
        request,
        "approvals/policy_draft.html",
        {
            "draft": found,
            "newest": newest,
            "outdated": open_ and outdated,
            "open": open_,
            "changes": policy_pages.differences(newest, found) if replayed else [],
            "report": policy_pages.simulate(found, only=only, page=page) if replayed else None,
            "facts": policy_pages.facts(document),
            "unreachable": reach.unreachable(document, at=clock.now()) if open_ else [],
            "mine": mine,
            "writes": writes,
            "yours": open_ and writes and not (mine or outdated),
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


def _index(principal: Principal) -> dict[str, Any]:
    newest, writes = policies.latest(), principal.has(*POLICY_WRITERS)
    document = rules.readable(newest.document) if newest else None
    return (_shown(document) if document else {}) | {
        "version": newest,
        "versions": policies.versions(),
        "drafts": policies.open_drafts(),
        "mine": policies.waiting_for(admin=principal) if writes else [],
        "permissions": len(standing.open_ones()),
        "writes": writes,
    }


def _shown(document: PolicyDocument) -> dict[str, Any]:
    return {
        "document": document,
        "facts": policy_pages.facts(document),
        "task_facts": policy_pages.task_facts(document),
        "templates": policy_pages.template_lines(document),
        "calendar_facts": policy_pages.calendar_facts(document),
        "kinds": policy_external_words.kind_lines(document.acoes_externas),
    }


def _start(number: str) -> PolicyVersion:
    """The version that was asked for, else the one in force."""
    asked = whole_number(number) or 0
    return policies.version(number=asked) if asked else policies.version_in_force()
