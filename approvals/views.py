"""The approver's queue and the page on which one proposal is read and decided."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals import (
    canonical,
    decisions,
    evidence,
    presenters,
    recovery,
    rules,
    selectors,
    wording,
)
from approvals.forms import DecisionForm, RefusalForm
from approvals.models import AgenteAprovacao, ExecutionState, State
from audit import entities
from opspilot.presentation import days
from opspilot.presentation.forms import ActForm, checked, keeping_what_was_typed
from opspilot.presentation.shapes import Tab
from opspilot.queue import wake
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import RESUMERS, TRAIL_READERS


@require_GET
@requires()
def inbox(request: TenantRequest) -> HttpResponse:
    asked = request.GET.get("fila", "")
    tab = asked if asked in selectors.TABS else "para-mim"
    page = _page(request.GET.get("pagina", ""))
    rows = selectors.inbox(principal=request.principal, tab=tab, page=page)
    context = {
        **_pager(request.principal, tab, page),
        "tabs": _tabs(request.principal, tab),
        "tab": tab,
        "all_waiting": tab in {"para-mim", "minhas"},
        "rows": [
            (
                row,
                wording.sentence(row.proposal),
                *wording.state(row.proposal, row.execution),
                wording.coverage(row.proposal.cobertura),
            )
            for row in rows
        ],
        "roles": ", ".join(str(role.label) for role in sorted(request.principal.roles)),
        "now": clock.now(),
    }
    return render(request, "approvals/inbox.html", context)


@require_GET
@requires()
def detail(request: TenantRequest, ref: UUID) -> HttpResponse:
    proposal = selectors.proposal(ref=ref)
    context = _detail(request.principal, proposal) | {
        "deciding": request.GET.get("decidir", ""),
        "json": request.GET.get("ver") == "json" and presenters.raw(proposal),
        "form": RefusalForm(initial={"acao_hash": proposal.acao_hash}),
    }
    template = "approvals/detail.html#live" if request.htmx else "approvals/detail.html"
    return render(request, template, context)


@acts_by_post
@requires()
def approve(request: TenantRequest, ref: UUID) -> HttpResponse:
    data = checked(DecisionForm(request.POST))
    proposal = decisions.approve(
        proposal=selectors.proposal(ref=ref),
        approver=request.principal,
        seen_hash=data["acao_hash"],
    )
    wake("execution")
    messages.success(request, presenters.approved(selectors.execution(proposal=proposal)))
    return redirect("approvals:detail", ref=ref)


@acts_by_post
@requires()
def refuse(request: TenantRequest, ref: UUID) -> HttpResponse:
    form = RefusalForm(request.POST)
    with keeping_what_was_typed(
        "approvals/detail.html",
        lambda: (
            _detail(request.principal, selectors.proposal(ref=ref))
            | {"deciding": "recusar", "form": form}
        ),
    ):
        data = checked(form)
        decisions.refuse(
            proposal=selectors.proposal(ref=ref),
            approver=request.principal,
            seen_hash=data["acao_hash"],
            reason=data["motivo"],
        )
    messages.success(request, _("Recusada. Nada será executado; quem pediu vê o motivo."))
    return redirect("approvals:detail", ref=ref)


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


def _tabs(principal: Principal, current: str) -> list[Tab]:
    labels = {
        "para-mim": _("Para mim"),
        "minhas": _("Minhas solicitações"),
        "andamento": _("Em andamento"),
        "desconhecido": _("Precisa de uma pessoa"),
        "decididas": _("Decididas"),
        "todas": _("Todas"),
    }
    counts = selectors.counts(principal=principal)
    base = reverse("approvals:inbox")
    return [
        Tab(label, f"{base}?fila={tab}", current=tab == current, count=counts.get(tab))
        for tab, label in labels.items()
    ]


def _page(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() and len(text) < 6 else 1


def _pager(principal: Principal, tab: str, page: int) -> dict[str, str]:
    """Words and link under a list that is longer than one page; empty for one that is not."""
    total = selectors.size(principal=principal, tab=tab)
    first, last = (page - 1) * selectors.LIMIT + 1, min(page * selectors.LIMIT, total)
    if total <= selectors.LIMIT or first > total:
        return {}
    words = _("%(first)s a %(last)s de %(total)s") % {"first": first, "last": last, "total": total}
    return {
        "shown": words,
        "next_page": f"?fila={tab}&pagina={page + 1}" if last < total else "",
    }


def _detail(principal: Principal, proposal: AgenteAprovacao) -> dict[str, Any]:
    row = selectors.with_progress([proposal])[0]
    state, word = wording.state(proposal, row.execution)
    attempts = selectors.attempts(execution=row.execution) if row.execution else []
    intact = canonical.is_hash_of(proposal.proposta, proposal.acao_hash)
    position, length, following = selectors.neighbours(principal=principal, current=proposal)
    entries = presenters.timeline(
        principal, proposal, selectors.decisions(proposal=proposal), attempts
    )
    return {
        "proposal": proposal,
        "client": entities.title_of(type_=proposal.entidade_tipo, ref=proposal.entidade_id),
        "alive": proposal.estado in {State.PENDENTE, State.APROVADA} and not row.execution,
        "execution": row.execution,
        "sentence": wording.sentence(proposal),
        "state": state,
        "word": word,
        "coverage": wording.coverage(proposal.cobertura),
        "done": row.execution is not None and row.execution.state == ExecutionState.CONCLUIDA,
        "facts": presenters.facts(row),
        "intact": intact,
        "fields": presenters.frozen(proposal.proposta, presenters.marker(proposal))
        if intact
        else [],
        "quotes": evidence.quotes(proposal.evidencia),
        "moved": intact and proposal.estado == State.PENDENTE and rules.moved(proposal),
        "entries": entries,
        "dated": days.need_dates(entries),
        "note": presenters.execution_note(row.execution) if row.execution else None,
        "can_resume": principal.has(*RESUMERS) and recovery.can_resume(row.execution),
        "reads_trail": principal.has(*TRAIL_READERS),
        "position": position,
        "length": length,
        "following": following,
        "standing": decisions.standing(principal=principal, proposal=proposal),
        "votes_missing": proposal.aprovacoes_exigidas - row.votes,
        "pace": presenters.pace(row.execution),
    }
