"""The page on which one proposal is read and decided."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from approvals import (
    canonical,
    comments,
    decisions,
    evidence,
    listing,
    presenters,
    proposals,
    queue,
    queue_url,
    recovery,
    rules,
    selectors,
    withdrawal,
    wording,
)
from approvals.forms import ChangesForm, CommentForm, RefusalForm
from approvals.models import AgenteAprovacao, ExecutionState, State
from approvals.queue_url import Queue
from approvals.views import decided
from audit import entities
from opspilot.presentation import days
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import RESUMERS, TRAIL_READERS

DECISION = "decisao"  # the id of the section in which the strip opens
_CHOICES = ("aprovar", "recusar", "devolver")


@require_GET
@requires()
def detail(request: TenantRequest, ref: UUID) -> HttpResponse:
    """The page; for a script the part it asked for: the decision, or what still moves."""
    proposal = selectors.proposal(ref=ref)
    asked = request.GET.get("decidir", "")
    deciding = asked if asked in _CHOICES else ""
    context = page(request, proposal) | {
        "deciding": deciding,
        "opened": not deciding,
        "json": request.GET.get("ver") == "json" and presenters.raw(proposal),
        "form": _form(deciding, kept.fields(request)),
        "decided": decided.strip(request, on=ref),
    }
    return render(request, _template(request), context)


def _form(deciding: str, typed: dict[str, Any]) -> RefusalForm:
    return (ChangesForm if deciding == "devolver" else RefusalForm)(initial=typed)


def _template(request: TenantRequest) -> str:
    if not request.htmx:
        return "approvals/detail.html"
    part = "decision" if request.htmx.target == DECISION else "live"
    return f"approvals/detail.html#{part}"


def page(request: TenantRequest, proposal: AgenteAprovacao) -> dict[str, Any]:
    """What the page shows of the proposal as it is now, inside the queue its address names."""
    asked, content = queue_url.parse(request.GET), _content(request.principal, proposal)
    here = reverse("approvals:detail", args=[proposal.ref])
    era = content["execution"].state if content["execution"] else proposal.estado
    return (
        _walk(request, proposal, asked)
        | content
        | {
            "here": asked.href(here),
            "json_url": asked.href(here, ver="json"),
            "strip_urls": {choice: asked.href(here, decidir=choice) for choice in _CHOICES},
            "approve_url": asked.href(reverse("approvals:approve", args=[proposal.ref])),
            "refuse_url": asked.href(reverse("approvals:refuse", args=[proposal.ref])),
            "changes_url": asked.href(reverse("approvals:ask_for_changes", args=[proposal.ref])),
            "comment_form": CommentForm(initial=kept.fields(request)),
            # The ticker says which state it shows: only another one is told to the reader.
            "follow_url": asked.href(here, era=era),
            "changed": bool(request.htmx) and request.GET.get("era") != era,
            "opener": _opener(request),
            "error_here": bool(request.htmx),
        }
    )


def _opener(request: TenantRequest) -> str:
    """The key of the link to which a strip that closes gives the focus back."""
    if not request.htmx:
        return ""
    current = request.htmx.current_url or ""
    keys = {"decidir=recusar": "r", "decidir=devolver": "d"}
    return next((key for asked, key in keys.items() if asked in current), "a")


def _walk(request: TenantRequest, proposal: AgenteAprovacao, asked: Queue) -> dict[str, Any]:
    place = queue.place(principal=request.principal, queue=asked, ref=proposal.ref)
    inbox = reverse("approvals:inbox")
    walk = listing.walk(
        asked,
        place,
        here=str(proposal.ref),
        inbox=inbox,
        detail=lambda ref: reverse("approvals:detail", args=[ref]),
    )
    return {"walk": walk}


def _content(principal: Principal, proposal: AgenteAprovacao) -> dict[str, Any]:
    row = selectors.with_progress([proposal])[0]
    state, word = wording.state(proposal, row.execution)
    attempts = selectors.attempts(execution=row.execution) if row.execution else []
    intact = canonical.is_hash_of(proposal.proposta, proposal.acao_hash)
    entries = presenters.timeline(
        principal, proposal, selectors.decisions(proposal=proposal), attempts
    )
    standing = decisions.standing(principal=principal, proposal=proposal)
    missing = proposal.aprovacoes_exigidas - row.votes
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
        "can_withdraw": withdrawal.can_withdraw(
            principal=principal, proposal=proposal, execution=row.execution
        ),
        "comments": comments.of(proposal=proposal),
        "before": proposal.anterior,
        "after": selectors.following(proposal=proposal),
        "asks_again": proposal.solicitante == principal.subject
        and proposals.can_be_asked_again(proposal),
        "can_resume": principal.has(*RESUMERS) and recovery.can_resume(row.execution),
        "reads_trail": principal.has(*TRAIL_READERS),
        "standing": standing,
        "standing_words": presenters.standing_words(standing, proposal, missing),
        "pace": presenters.pace(row.execution),
    }
