"""`/aprovacoes/<ref>/prova/`: one effect, line by line, and the same as a file to check offline."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from approvals.inbox import selectors, wording
from approvals.models import AgenteAprovacao
from approvals.proof import access, files, gathering, words
from audit import readings
from audit.proving import proof_file
from audit.seal import schedule
from audit.time_limit import SECONDS
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import RUN_READERS


@require_GET
@requires()
def show(request: TenantRequest, ref: UUID) -> HttpResponse:
    proposal = _readable(request, ref)
    found = gathering.proof(proposal, seconds=SECONDS)
    lines = proof_file.judge(found)
    _record(request, proposal, "prova lida")
    state, word, sentence = words.verdict(lines, next_seal=schedule.next_seal())
    context: dict[str, Any] = {
        "proposal": proposal,
        "sentence": wording.sentence(proposal),
        "proof": found,
        "state": state,
        "word": word,
        "verdict": sentence,
        "sections": words.sections(lines),
        "decided": [words.decided(item) for item in found.decisoes],
        "attempts": [words.attempted(item) for item in found.tentativas],
    }
    return render(request, "approvals/proof.html", context)


@require_GET
@requires()
def download(request: TenantRequest, ref: UUID) -> HttpResponse:
    """The document the page is drawn from, gathered anew. Signed where this process has a key, which
    a web process needs none of: then the rows' seals are all that is signed in it."""
    proposal = _readable(request, ref)
    body = files.as_bytes(gathering.proof(proposal, seconds=SECONDS))
    _record(request, proposal, "prova baixada")
    response = HttpResponse(body, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="prova-{proposal.ref}.json"'
    return response


@require_GET
@requires()
def of_run(request: TenantRequest, run_id: UUID) -> HttpResponse:
    """For the trail, which knows runs and no references of proposals."""
    proposal = selectors.proposal_of_run(run_id=run_id)
    if proposal is None:
        raise NotFoundError
    return redirect("approvals:proof", proposal.ref)


def _readable(request: TenantRequest, ref: UUID) -> AgenteAprovacao:
    proposal = selectors.proposal(ref=ref)
    if not access.may_read(request.principal, proposal):
        back = reverse("approvals:detail", args=[ref])
        raise RoleRequiredError(roles=sorted(RUN_READERS), back_url=back)
    return proposal


def _record(request: TenantRequest, proposal: AgenteAprovacao, what: str) -> None:
    readings.record(
        request.principal,
        entity_type=proposal.entidade_tipo,
        entity_id=proposal.entidade_id,
        what=f"{what}: {proposal.ref}",
    )
