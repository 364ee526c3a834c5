"""What a person does to a proposal: POST only, with the hash the page showed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals import comments, decisions
from approvals.errors import ReasonRequiredError
from approvals.execution import recovery, withdrawal
from approvals.forms import ChangesForm, CommentForm, DecisionForm, RefusalForm
from approvals.inbox import queue, queue_url, selectors
from approvals.models import AgenteAprovacao
from approvals.views import decided, proposal
from opspilot.errors import FormPage, RefusedError
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.queue import wake
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.reauthentication import authenticated_at
from opspilot.tenancy.roles import RESUMERS


@acts_by_post
@requires()
@keeps_typed(page="../?decidir=aprovar")
def approve(request: TenantRequest, ref: UUID) -> HttpResponse:
    found, asked = selectors.proposal(ref=ref), queue_url.parse(request.GET)
    place = queue.place(principal=request.principal, queue=asked, ref=ref)
    with _shown_in_place(request, ref, DecisionForm(request.POST)) as data:
        decisions.approve(
            proposal=found,
            approver=request.principal,
            seen_hash=data["acao_hash"],
            authenticated_at=authenticated_at(request),
        )
    wake("execution")
    return decided.onward(request, found, asked, place)


@acts_by_post
@requires()
@keeps_typed("motivo", page="../?decidir=recusar")
def refuse(request: TenantRequest, ref: UUID) -> HttpResponse:
    return _close(request, ref, RefusalForm(request.POST), decisions.refuse)


@acts_by_post
@requires()
@keeps_typed("motivo", page="../?decidir=devolver")
def ask_for_changes(request: TenantRequest, ref: UUID) -> HttpResponse:
    return _close(request, ref, ChangesForm(request.POST), decisions.ask_for_changes)


def _close(
    request: TenantRequest, ref: UUID, form: RefusalForm, verdict: Callable[..., AgenteAprovacao]
) -> HttpResponse:
    """Close the proposal without an approval, with the reason that was written."""
    found, asked = selectors.proposal(ref=ref), queue_url.parse(request.GET)
    place = queue.place(principal=request.principal, queue=asked, ref=ref)
    with _shown_in_place(request, ref, form) as data:
        verdict(
            proposal=found,
            approver=request.principal,
            seen_hash=data["acao_hash"],
            reason=data["motivo"],
        )
    return decided.onward(request, found, asked, place)


@acts_by_post
@requires()
def withdraw(request: TenantRequest, ref: UUID) -> HttpResponse:
    """Take the held execution back: it can only stop, so one letter may press it."""
    checked(ActForm(request.POST))
    withdrawal.withdraw(proposal=selectors.proposal(ref=ref), decider=request.principal)
    messages.success(request, _("Execução retirada. A decisão fica na trilha; nada será enviado."))
    return redirect("approvals:detail", ref=ref)


@acts_by_post
@requires()
@keeps_typed("texto", page="../")
def comment(request: TenantRequest, ref: UUID) -> HttpResponse:
    found, form = selectors.proposal(ref=ref), CommentForm(request.POST)
    with keeping_what_was_typed(
        "approvals/detail.html",
        lambda: (
            proposal.page(request, selectors.proposal(ref=ref))
            | {"comment_form": form, "form": None}
        ),
    ):
        data = checked(form)
        comments.add(proposal=found, author=request.principal, text=data["texto"])
    messages.success(request, _("Comentário gravado. Nada foi decidido."))
    return redirect(reverse("approvals:detail", args=[ref]) + "#comentarios")


@acts_by_post
@requires()
def cancel(request: TenantRequest, ref: UUID) -> HttpResponse:
    checked(ActForm(request.POST))
    decisions.cancel(proposal=selectors.proposal(ref=ref), requester=request.principal)
    messages.success(request, _("Pedido cancelado. Nada será executado."))
    return redirect("approvals:detail", ref=ref)


@acts_by_post
@requires(*RESUMERS)
def resume(request: TenantRequest, ref: UUID) -> HttpResponse:
    """Search for an unknown outcome now, or queue again what was never sent; never a resend."""
    checked(ActForm(request.POST))
    recovery.resume(proposal=selectors.proposal(ref=ref), person=request.principal)
    wake("execution")
    messages.success(request, _("Pedido feito. O resultado aparece nesta página."))
    return redirect("approvals:detail", ref=ref)


@contextmanager
def _shown_in_place(
    request: TenantRequest, ref: UUID, form: DecisionForm
) -> Iterator[dict[str, Any]]:
    """The form's data; a refusal inside shows the proposal as it is now, with what was typed."""
    try:
        yield checked(form)
    except RefusedError as exc:
        template = "approvals/detail.html" + ("#refused" if request.htmx else "")
        if isinstance(exc, ReasonRequiredError):
            form.add_error("motivo", exc.sentence)
        exc.page = FormPage(template, lambda: _refused(request, ref, form))
        raise


def _refused(request: TenantRequest, ref: UUID, form: DecisionForm) -> dict[str, Any]:
    """Built in a scope of its own, after what the act had written was rolled back."""
    faulty = isinstance(form, RefusalForm) and bool(form.errors)
    strip = "devolver" if isinstance(form, ChangesForm) else "recusar"
    return proposal.page(request, selectors.proposal(ref=ref)) | {
        "deciding": strip if faulty else "",
        "form": form,
        "refused": True,
        "error_here": bool(request.htmx) or faulty,
    }
