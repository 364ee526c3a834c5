"""How long the trail is kept, what is held, and what went."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from audit import entities
from audit.models import Entity, RetentionEnd
from audit.months import holds, page, retention
from audit.months.forms import (
    INCIDENTS,
    ActivateForm,
    EndRuleForm,
    HoldForm,
    LiftForm,
    RuleForm,
    short_words,
)
from opspilot.presentation.forms import StrictForm, checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.reauthentication import ensure_recent
from opspilot.tenancy.roles import POLICY_WRITERS, RETENTION_READERS

_PAGE = "audit/retention.html"


@require_GET
@requires(*RETENTION_READERS)
def index(request: TenantRequest) -> HttpResponse:
    return render(request, _PAGE, _context(request, initial=kept.fields(request)))


@acts_by_post
@requires(*POLICY_WRITERS)
@keeps_typed("meses", "base", "motivo", "curta", page="../")
def propose(request: TenantRequest) -> HttpResponse:
    ensure_recent(request)
    form = RuleForm(request.POST)
    with keeping_what_was_typed(_PAGE, lambda: _context(request, rule_form=form)):
        data = checked(form)
        retention.propose(
            admin=request.principal,
            months=data["meses"],
            basis=data["base"],
            reason=data["motivo"],
        )
    messages.success(request, _("Regra escrita. Ela vale quando outro admin a ativar."))
    return redirect("audit:retention")


@acts_by_post
@requires(*POLICY_WRITERS)
def activate(request: TenantRequest) -> HttpResponse:
    ensure_recent(request)
    data = checked(ActivateForm(request.POST))
    retention.activate(rule=retention.one(ref=data["regra"]), admin=request.principal)
    messages.success(request, _("A regra está em vigor."))
    return redirect("audit:retention")


@acts_by_post
@requires(*POLICY_WRITERS)
@keeps_typed("motivo_regra", page="../")
def end(request: TenantRequest) -> HttpResponse:
    """Taken back by who wrote it, or refused by another admin."""
    form = EndRuleForm(request.POST)
    with keeping_what_was_typed(_PAGE, lambda: _context(request, end_form=form)):
        data = checked(form)
        rule = retention.one(ref=data["regra"])
        ended = retention.end(rule=rule, admin=request.principal, reason=data["motivo_regra"])
    said = {
        RetentionEnd.WITHDRAWN: _("Regra retirada. Vale a que já valia."),
        RetentionEnd.REFUSED: _(
            "Regra recusada. Vale a que já valia, e quem a escreveu vê o motivo."
        ),
    }
    messages.success(request, said[RetentionEnd(ended.kind)])
    return redirect("audit:retention")


@acts_by_post
@requires(*holds.HOLDERS)
@keeps_typed("alcance", "motivo_guarda", page="../")
def hold(request: TenantRequest) -> HttpResponse:
    form = HoldForm(request.POST)
    with keeping_what_was_typed(_PAGE, lambda: _context(request, hold_form=form)):
        data = checked(form)
        holds.place(
            person=request.principal,
            entity=_entity(data["documento"]),
            reason=data["motivo_guarda"],
        )
    messages.success(request, _("Guarda legal em vigor. Os meses com estes registros não expiram."))
    return redirect("audit:retention")


@acts_by_post
@requires(*holds.HOLDERS)
@keeps_typed("guarda", "motivo_fim", page="../")
def lift(request: TenantRequest) -> HttpResponse:
    form = LiftForm(request.POST, choices=page.choices())
    with keeping_what_was_typed(_PAGE, lambda: _context(request, lift_form=form)):
        data = checked(form)
        found = holds.one(ref=data["guarda"])
        holds.lift(hold=found, person=request.principal, reason=data["motivo_fim"])
    messages.success(request, _("Guarda legal encerrada. Os meses voltam a seguir a regra."))
    return redirect("audit:retention")


def _entity(document: str) -> Entity | None:
    if not document:
        return None
    found = entities.find(document=entities.parse_document(document))
    if found is None:
        raise entities.InvalidDocumentError(_("Nenhum registro deste documento nesta empresa."))
    return found


def _context(
    request: TenantRequest, *, initial: dict[str, Any] | None = None, **forms: StrictForm
) -> dict[str, Any]:
    principal, found = request.principal, page.build()
    return {
        "found": found,
        "writes": principal.has(*POLICY_WRITERS),
        "holds": principal.has(*holds.HOLDERS),
        "short": short_words() if found.waiting and found.waiting.months < INCIDENTS else "",
        "mine": bool(found.waiting and found.waiting.author == principal.subject),
        "lifts": any(line.until is None for line in found.holds),
        "rule_form": RuleForm(initial=initial),
        "end_form": EndRuleForm(initial=initial),
        "hold_form": HoldForm(initial=initial),
        "lift_form": LiftForm(choices=page.choices(), initial=initial),
        "refused": next((form for form in forms.values() if form.errors), None),
    } | forms
