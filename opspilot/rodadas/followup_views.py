"""Asking for something about another proposal's effect: to undo it, or to send it once more.

The page shows the action as it would be frozen; what is confirmed there becomes a proposal in a run
of its own, and other people decide it (I1).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from approvals import proposals
from approvals.drafts import Draft
from approvals.execution import followups
from approvals.inbox import fields, selectors, wording
from approvals.models import AgenteAprovacao
from audit import entities
from audit.models import Entity
from opspilot.harness import services
from opspilot.presentation.forms import StrictForm, checked, keeping_what_was_typed
from opspilot.rodadas import presenters
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, keeps_typed, requires
from opspilot.tenancy.roles import ASKERS

_PAGE = "rodadas/followup.html"
_Prepare = Callable[..., Draft]


class FollowUpForm(StrictForm):
    acao_hash = forms.CharField(max_length=64, widget=forms.HiddenInput)
    justificativa = forms.CharField(
        label=_("Por quê"),
        max_length=2_000,
        help_text=_("Pelo menos 10 caracteres; quem aprova lê."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
@keeps_typed("justificativa")
def undo(request: TenantRequest, ref: UUID) -> HttpResponse:
    return _ask(request, ref, followups.reversal)


@require_http_methods(["GET", "POST"])
@requires(*ASKERS)
@keeps_typed("justificativa")
def send_again(request: TenantRequest, ref: UUID) -> HttpResponse:
    return _ask(request, ref, followups.resend)


def _ask(request: TenantRequest, ref: UUID, prepare: _Prepare) -> HttpResponse:
    about = selectors.proposal(ref=ref)
    if request.method == "GET":
        form = FollowUpForm(initial=kept.fields(request))
        return render(request, _PAGE, _context(request, about, prepare, form))
    form = FollowUpForm(request.POST)
    with keeping_what_was_typed(_PAGE, lambda: _context(request, about, prepare, form)):
        data = checked(form)
        services.check_justification(data["justificativa"])
        made = _confirmed(request, about, prepare, data)
    return redirect("approvals:detail", made.ref)


def _confirmed(
    request: TenantRequest, about: AgenteAprovacao, prepare: _Prepare, data: dict[str, Any]
) -> AgenteAprovacao:
    """The run and its one proposal, together."""
    run = services.opened(request.principal)
    draft = prepare(principal=request.principal, run_id=run.ref, proposal=about)
    return proposals.create(
        principal=request.principal,
        draft=draft,
        seen_hash=data["acao_hash"],
        justification=data["justificativa"].strip(),
        entity=_client(about),
        evidence=about.evidencia,
    )


def _client(about: AgenteAprovacao) -> Entity | None:
    if about.entidade_tipo is None or about.entidade_id is None:
        return None
    return entities.get(type_=about.entidade_tipo, ref=UUID(about.entidade_id))


def _context(
    request: TenantRequest, about: AgenteAprovacao, prepare: _Prepare, form: FollowUpForm
) -> dict[str, Any]:
    """The hash of what is shown does not depend on the run, which is opened at the confirmation."""
    draft = prepare(principal=request.principal, run_id=uuid.uuid4(), proposal=about)
    return {
        "about": about,
        "sentence": wording.sentence_of(draft.action),
        "draft": draft,
        "fields": fields.of(draft.action, ""),
        "facts": presenters.draft_facts(draft, ""),
        "form": form,
    }
