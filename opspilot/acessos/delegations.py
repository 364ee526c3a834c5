"""`/conta/delegacoes/`: who decides in my name while I am away, and in whose name I decide."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals.deciders import delegating
from approvals.deciders.access_errors import InvalidDelegationError
from approvals.models import Delegation
from opspilot.acessos.forms import DelegationForm
from opspilot.acessos.views import end_delegation
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.presentation.shapes import State
from opspilot.tenancy import clock, kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.reauthentication import ensure_recent

_TEMPLATE = "acessos/delegations.html"


@require_GET
@requires()
def index(request: TenantRequest) -> HttpResponse:
    form = _form(request.principal, initial=kept.fields(request))
    return render(request, _TEMPLATE, _page(request.principal, form))


@acts_by_post
@requires()
@keeps_typed("para", "de", "ate", "motivo", many=("papeis",), page="../")
def give(request: TenantRequest) -> HttpResponse:
    ensure_recent(request)
    form = _form(request.principal, data=request.POST)
    with keeping_what_was_typed(_TEMPLATE, lambda: _page(request.principal, form)):
        data = checked(form)
        try:
            delegating.give(
                giver=request.principal,
                receiver=data["para"],
                roles=[Role(name) for name in data["papeis"]],
                starts_at=data["de"],
                ends_at=data["ate"],
                reason=data["motivo"],
            )
        except InvalidDelegationError as exc:
            form.add_error(exc.facts.get("fields", [None])[0], exc.sentence)
            raise
    messages.success(request, _("Delegação gravada. Você pode revogá-la quando quiser."))
    return redirect("delegacoes:index")


@acts_by_post
@requires()
def revoke(request: TenantRequest) -> HttpResponse:
    end_delegation(request)
    return redirect("delegacoes:index")


def _form(principal: Principal, **values: Any) -> DelegationForm:
    people = [(m.subject, m.name) for m in delegating.receivers(giver=principal)]
    roles = sorted(delegating.lendable(giver=principal))
    return DelegationForm(
        people=people, roles=[(str(role), str(role.label)) for role in roles], **values
    )


def _page(principal: Principal, form: DelegationForm) -> dict[str, Any]:
    given, received = delegating.of_person(person=principal)
    return {
        "form": form,
        "lends": bool(delegating.lendable(giver=principal)),
        "given": [_line(row) for row in given],
        "received": [_line(row) for row in received],
    }


def _line(row: Delegation) -> dict[str, Any]:
    state, word = _state(row)
    roles = ", ".join(str(Role(name).label) for name in row.roles)
    return {
        "row": row,
        "roles": roles,
        "state": state,
        "word": word,
        "ends": state in {"running", "pending"},
    }


def _state(row: Delegation) -> tuple[State, str]:
    now = clock.now()
    if row.revoked_at is not None:
        return "failed", _("revogada")
    if row.ends_at <= now:
        return "done", _("terminou")
    return ("pending", _("ainda não começou")) if row.starts_at > now else ("running", _("vale"))
