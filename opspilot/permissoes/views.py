"""Propose, confirm and end standing permissions; read what was done under them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals.agents import grounds, standing
from approvals.agents.standing_errors import InvalidPermissionError
from approvals.models import StandingPermission
from approvals.rules import NoPolicyError, UnreadablePolicyError
from opspilot.api import behind
from opspilot.errors import NotFoundError
from opspilot.permissoes import page
from opspilot.permissoes.forms import FIELDS, ProposeForm, RevokeForm
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.tenancy import clock, kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.reauthentication import ensure_recent
from opspilot.tenancy.roles import POLICY_READERS, POLICY_WRITERS

_INDEX, _ONE = "permissoes/index.html", "permissoes/permission.html"


@require_GET
@requires(*POLICY_READERS)
def index(request: TenantRequest) -> HttpResponse:
    form = ProposeForm(choices=_choices(), initial=kept.fields(request))
    return render(request, _INDEX, _list(request.principal, form))


@require_GET
@requires(*POLICY_READERS)
def permission(request: TenantRequest, ref: UUID) -> HttpResponse:
    form = RevokeForm(initial=kept.fields(request))
    return render(request, _ONE, _detail(request.principal, ref, form))


@acts_by_post
@requires(*POLICY_WRITERS)
@keeps_typed("acao", "teto", "usos", "periodo", "usos_periodo", "dias", "motivo", page="../")
def propose(request: TenantRequest) -> HttpResponse:
    ensure_recent(request)
    form = ProposeForm(request.POST, choices=_choices())
    with keeping_what_was_typed(_INDEX, lambda: _list(request.principal, form)):
        checked(form)
        terms = form.terms()
        try:
            made = standing.propose(
                admin=request.principal,
                owner=_owner(terms.agent),
                behind=behind.of(terms.agent),
                terms=terms,
            )
        except InvalidPermissionError as exc:
            _mark(form, exc)
            raise
    messages.success(request, _("Permissão proposta. Ela vale quando outro admin a confirmar."))
    return redirect("permissoes:permission", made.ref)


@acts_by_post
@requires(*POLICY_WRITERS)
def confirm(request: TenantRequest, ref: UUID) -> HttpResponse:
    ensure_recent(request)
    checked(ActForm(request.POST))
    row = standing.permission(ref=ref)
    standing.confirm(
        permission=row,
        admin=request.principal,
        owner=_owner(row.agent),
        behind=behind.of(row.agent),
    )
    messages.success(request, _("A permissão está em vigor."))
    return redirect("permissoes:permission", ref)


@acts_by_post
@requires(*POLICY_WRITERS)
@keeps_typed("motivo", page="../")
def revoke(request: TenantRequest, ref: UUID) -> HttpResponse:
    form = RevokeForm(request.POST)
    with keeping_what_was_typed(_ONE, lambda: _detail(request.principal, ref, form)):
        data = checked(form)
        row = standing.permission(ref=ref)
        standing.revoke(permission=row, admin=request.principal, reason=data["motivo"])
    messages.success(request, _("Permissão encerrada. Ela não aprova mais nada."))
    return redirect("permissoes:permission", ref)


def _owner(slug: str) -> str:
    """Who answers for the agent. One that is not registered is permitted nothing."""
    owner = page.owner_of(slug)
    if not owner:
        raise NotFoundError
    return owner


def _mark(form: ProposeForm, exc: InvalidPermissionError) -> None:
    """The refusal, beside the fields it is about."""
    for name in exc.facts["fields"]:
        form.add_error(FIELDS[name], _("Fora do que a política ou o limite permite."))


def _choices() -> list[tuple[str, str]]:
    try:
        return page.choices()
    except (NoPolicyError, UnreadablePolicyError):
        return []


def _list(principal: Principal, form: ProposeForm) -> dict[str, Any]:
    now, admins, writes = clock.now(), grounds.admins(), principal.has(*POLICY_WRITERS)
    waiting = standing.waiting_for(admin=principal, behind=behind.of) if writes else []
    mine = frozenset(row.pk for row in waiting)
    return {
        "lines": [page.line(row, now, admins, mine) for row in standing.counted()],
        "form": form,
        "offers": len(form.fields["acao"].choices) > 1,  # type: ignore[attr-defined]
        "writes": writes,
    }


def _detail(principal: Principal, ref: UUID, form: RevokeForm) -> dict[str, Any]:
    row, now, admins = standing.one(ref=ref), clock.now(), grounds.admins()
    state, word = page.state_of(row, now, admins)
    writes = principal.has(*POLICY_WRITERS)
    alive = state in {"pending", "running", "attention"}
    return {
        "permission": row.permission,
        "title": page.title(row.permission),
        "state": state,
        "word": word,
        "rests": page.rests(row.permission, admins) if state == "attention" else "",
        "facts": page.facts(row, now, admins),
        "uses": [page.use(use) for use in standing.uses_of(row.permission)],
        "form": form,
        "ends": writes and alive,
        "confirms": writes and state == "pending" and _may_give(principal, row.permission),
        "waits": writes and state == "pending",
    }


def _may_give(principal: Principal, permission: StandingPermission) -> bool:
    barred = {permission.proposed_by, page.owner_of(permission.agent)}
    return principal.subject not in barred | behind.of(permission.agent)
