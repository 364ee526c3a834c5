"""From an approved proposal to its effect: claim → revalidate → attempt row → send → settle.

Three short transactions and none of them open while the remote is spoken to (design §7). We never
claim exactly-once: not sent, refused and unknown are three outcomes, and unknown is looked up.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import time
from collections.abc import Callable
from uuid import UUID

import structlog
from django.conf import settings

from approvals import canonical, drafts, neutral, rules
from approvals.actions import ISSUE_CREATED
from approvals.deciders import eligibility
from approvals.execution import claims, settlement
from approvals.execution.claims import Claim
from approvals.models import AgenteAprovacao, ExecutionState, State
from opspilot import telemetry
from opspilot.connectors import writers
from opspilot.connectors.errors import (
    ConnectorError,
    NotSentError,
    RefusedByRemoteError,
    ThrottledError,
)
from opspilot.connectors.issues import IssueTracker, RemoteIssue
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
SKEW = dt.timedelta(minutes=5)  # between our clock and the remote's


def advance(*, tenant_id: UUID, execution_id: int, tracker: IssueTracker | None = None) -> None:
    """Take the execution one step on, if it is due. Safe to call at any time, by anybody."""
    tracker = tracker or writers.issue_tracker()
    try:
        with tenant_scope(tenant_id):
            claim = claims.take(execution_id=execution_id)
            step = None if claim is None else _step(claim)
        if claim is not None and step is not None:
            step(claim, tracker)
    except claims.LateClaimError:
        log.warning("a late claim changed nothing", execution=execution_id)


def _step(claim: Claim) -> Callable[[Claim, IssueTracker], None] | None:
    """What the claim is for; what can be settled without the remote is settled here."""
    if claim.found_in == ExecutionState.DESCONHECIDA:
        return _look_up
    if claims.unanswered(claim.execution):
        # The worker that sent it died before it wrote the outcome: never sent again.
        settlement.unknown(claim, reason="trabalho_interrompido")
        return None
    fault = _fault(claim)
    if fault:
        settlement.blocked(claim, reason=fault)
        return None
    return _send


def _fault(claim: Claim) -> str:
    """Why this must not be sent after all, asked right before it would be (I2, I3)."""
    proposal, action = claim.proposal, claim.proposal.proposta
    checks: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("aprovacao_ausente", lambda: not _approved(proposal)),
        # First among those that read the content: an altered one may have lost any of its fields.
        ("conteudo_mudou", lambda: not canonical.is_hash_of(action, proposal.acao_hash)),
        # Tasks and the kinds that agents carry out themselves have no executor here.
        ("acao_sem_executor", lambda: action["kind"] != ISSUE_CREATED),
        ("politica_mudou", lambda: rules.moved(proposal)),
        ("prazo_de_execucao_passou", lambda: clock.now() > proposal.executar_ate),
        ("destino_mudou", lambda: action["target"]["host"] != settings.OPSPILOT_GITLAB_URL),
        ("texto_ativo", lambda: not neutral.is_inert(action["description"])),
    )
    return next((name for name, is_present in checks if is_present()), "")


def _approved(proposal: AgenteAprovacao) -> bool:
    """Enough people approved exactly this hash, other than who asked and the agent's owner, and
    could still approve it."""
    enough = eligibility.standing_votes(proposal=proposal) >= proposal.aprovacoes_exigidas
    return proposal.estado == State.APROVADA and enough


def _send(claim: Claim, tracker: IssueTracker) -> None:
    tries = claim.execution.attempts + 1
    target = claim.proposal.proposta["target"]
    with telemetry.span("execution", action=claim.proposal.acao, attempt=tries):
        if not _project_is_the_approved_one(claim, tracker, tries):
            return
        body = drafts.body(claim.proposal.proposta, claim.execution.marker)
        with tenant_scope(claim.execution.tenant_id):
            # Committed before the first byte leaves: a dead worker cannot hide that it sent.
            claims.renew(claim, attempts=tries)
            number = claims.sent(claim.execution) + 1
            sha = hashlib.sha256(canonical.dumps(body).encode()).hexdigest()
            claims.note(claim, kind=claims.SENT, number=number, body_sha256=sha)
        started = time.monotonic()
        answer = _create(tracker, target["project_id"], body)
        duration_ms = int((time.monotonic() - started) * 1000)
        _settle(claim, tries, number, answer, duration_ms)


def _project_is_the_approved_one(claim: Claim, tracker: IssueTracker, tries: int) -> bool:
    """Read-only: the numeric id must still stand for the path that was approved."""
    target = claim.proposal.proposta["target"]
    try:
        path = tracker.project_path(target["project_id"])
    except RefusedByRemoteError:
        # A token that expired overnight: nothing was sent, and a person can have it tried again.
        with tenant_scope(claim.execution.tenant_id):
            settlement.blocked(claim, reason="destino_sem_acesso")
        return False
    except ConnectorError as exc:
        with tenant_scope(claim.execution.tenant_id):
            wait = exc.retry_after if isinstance(exc, ThrottledError) else None
            settlement.postponed(claim, tries=tries, reason="destino_indisponivel", wait=wait)
        return False
    if path == target["project_path"]:
        return True
    with tenant_scope(claim.execution.tenant_id):
        settlement.blocked(claim, reason="projeto_mudou_de_endereco")
    return False


def _create(
    tracker: IssueTracker, project_id: int, body: dict[str, object]
) -> RemoteIssue | ConnectorError:
    """The answer, or the failure as a value: each is settled in its own way."""
    with telemetry.span("gitlab", kind="create"):
        try:
            return tracker.create(project_id, body)
        except ConnectorError as exc:
            return exc


def _settle(
    claim: Claim, tries: int, number: int, answer: RemoteIssue | ConnectorError, duration_ms: int
) -> None:
    """One transaction: what the remote said, the new state and the trail row."""
    with tenant_scope(claim.execution.tenant_id):
        outcome = "ok" if isinstance(answer, RemoteIssue) else type(answer).__name__
        claims.note(claim, kind=claims.ANSWERED, number=number, outcome=outcome[:20])
        match answer:
            case RemoteIssue():
                settlement.effect(claim, answer, duration_ms=duration_ms)
            case NotSentError():
                settlement.postponed(claim, tries=tries, reason="destino_indisponivel")
            case ThrottledError():
                settlement.postponed(
                    claim, tries=tries, reason="destino_ocupado", wait=answer.retry_after
                )
            case RefusedByRemoteError():
                settlement.refused(claim, status=answer.status)
            case _:
                settlement.unknown(claim, reason="resposta_perdida")


def _look_up(claim: Claim, tracker: IssueTracker) -> None:
    """Search by listing, never resend (I4)."""
    tenant_id, number = claim.execution.tenant_id, claim.execution.lookups + 1
    with tenant_scope(tenant_id):
        since = claims.first_sent_at(claim.execution) - SKEW
    with telemetry.span("reconciliation", attempt=number):
        try:
            project_id = claim.proposal.proposta["target"]["project_id"]
            found = tracker.find(project_id, claim.execution.marker, since=since)
            reason = "nada_achado"
        except ConnectorError:
            found, reason = [], "lista_indisponivel"
    with tenant_scope(tenant_id):
        claims.note(
            claim,
            kind=claims.LOOKED_UP,
            number=number,
            outcome="achado" if found else reason,
            detail=f"{len(found)}",
        )
        if found:
            settlement.effect(claim, found[0], found=len(found))
        else:
            settlement.not_found(claim, reason=reason)
