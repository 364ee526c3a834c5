"""Taking several of one's own requests back: a page to choose on, one that asks once more before all
of them go, and one that tells each outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals.forms import CancelManyForm
from approvals.inbox import bulk_cancel, wording
from approvals.inbox.bulk_cancel import Outcome
from approvals.models import AgenteAprovacao
from opspilot.presentation.forms import checked
from opspilot.presentation.shapes import State
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires

NAMED = 5  # of those about to go, how many are named


@require_GET
@requires()
def choose(request: TenantRequest) -> HttpResponse:
    rows = bulk_cancel.candidates(principal=request.principal)
    context = {
        "rows": [_row(row) for row in rows],
        "open": [row.ref for row in rows if row.risco != "alto"],
        "now": clock.now(),
    }
    return render(request, "approvals/cancel_many.html", context)


@acts_by_post
@requires()
def cancel(request: TenantRequest) -> HttpResponse:
    """The marked ones, or all that were displayed; the answer says what became of each."""
    data = checked(CancelManyForm(request.POST))
    refs = data["mostrada"] if data["todas"] else data["ref"]
    waiting = bulk_cancel.still_waiting(principal=request.principal, refs=refs)
    if data["todas"] and waiting and not data["certo"]:
        return _ask_once_more(request, waiting, refs)
    found = bulk_cancel.cancel_many(principal=request.principal, refs=refs)
    context = {
        "outcomes": [_row(one.proposal) | _told(one) for one in found],
        "cancelled": sum(one.ending == "cancelled" for one in found),
    }
    return render(request, "approvals/cancelled.html", context)


def _ask_once_more(
    request: TenantRequest, waiting: Sequence[AgenteAprovacao], refs: Sequence[UUID]
) -> HttpResponse:
    """One press names nothing, so this page names them; nothing has changed yet."""
    form = CancelManyForm(initial={"mostrada": refs, "todas": "sim", "certo": "sim"}, auto_id=False)
    context = {
        "form": form,
        "count": len(waiting),
        "rows": [_row(row) for row in waiting[:NAMED]],
        "unnamed": max(0, len(waiting) - NAMED),
        "now": clock.now(),
    }
    return render(request, "approvals/cancel_all.html", context)


def _row(proposal: AgenteAprovacao | None) -> dict[str, Any]:
    if proposal is None:
        return {"url": "", "sentence": _("Pedido que não é seu ou não existe"), "title": ""}
    return {
        "proposal": proposal,
        "url": reverse("approvals:detail", args=[proposal.ref]),
        "sentence": wording.sentence(proposal),
        "title": str(proposal.proposta.get("title", "")),
        "alone": proposal.risco == "alto",
    }


def _told(outcome: Outcome) -> dict[str, Any]:
    words: dict[str, tuple[State, str]] = {
        "cancelled": ("done", _("cancelada agora")),
        "closed": ("pending", _("já estava encerrada; nada mudou")),
        "expired": ("pending", _("o prazo já tinha terminado; nada mudou")),
        "high_risk": ("attention", _("risco alto: cancele na página dela")),
        "unknown": ("failed", _("nada mudou")),
    }
    state, word = words[outcome.ending]
    return {"state": state, "word": word}
