"""The worker's half of a question: retrieve → draft → check citations → answer or abstain."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

import structlog
from django.db.models import QuerySet
from django.db.models.functions import Now

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.answers import composing
from grounding.answers.composing import Answer
from grounding.retrieval.consult import Grounded, consult, prepare
from opspilot import telemetry
from opspilot.connectors.errors import UnavailableError
from opspilot.harness import evidence
from opspilot.harness.models import SCHEMA_VERSION, Run, RunState
from opspilot.tenancy import lease
from opspilot.tenancy.principal import signature
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 3
# As people read it in the trail; the code stays in the run.
LEVELS = {"alta": "alta", "media": "média", "baixa": "baixa", "nenhuma": "nenhuma"}
OPEN = (RunState.QUEUED, RunState.RUNNING)


def advance(*, tenant_id: UUID, run_id: int) -> None:
    """Take one question to its end. Models run with no transaction open."""
    with tenant_scope(tenant_id):
        run = _claim(run_id)
    if run is None:
        return
    with telemetry.span("run", kind=run.kind):
        try:
            _answer(run)
        except UnavailableError:
            log.warning("the embedder does not answer, the question waits", run=run_id)
            with tenant_scope(tenant_id):
                _postpone(run)


def _answer(run: Run) -> None:
    started = time.monotonic()
    query = prepare(run.question)
    with tenant_scope(run.tenant_id):
        grounded = consult(query=query, collections=run.collections)
    answer = composing.draft(query=query, grounded=grounded)
    with tenant_scope(run.tenant_id):
        answer = composing.checked(answer)
        _finish(run, grounded, answer, int((time.monotonic() - started) * 1000))


def _claim(run_id: int) -> Run | None:
    due = Run.objects.filter(
        lease.free(), pk=run_id, state__in=OPEN, versao_esquema__lte=SCHEMA_VERSION
    )
    run = due.first()
    if run is None:
        return None
    token = lease.take(due, seen=run.claim_token, state=RunState.RUNNING, attempts=run.attempts + 1)
    if token is None:
        return None
    run.claim_token = token
    if run.attempts >= MAX_ATTEMPTS:
        _give_up(run)
        return None
    return run


def _finish(run: Run, grounded: Grounded, answer: Answer, duration_ms: int) -> None:
    state = RunState.ANSWERED if answer.sentences else RunState.ABSTAINED
    level = grounded.coverage.level if answer.sentences else "nenhuma"
    content = composing.as_json(answer, grounded) | {"duration_ms": duration_ms}
    if _close(run, state, coverage=level, answer=content):
        _record(run, level, content["sentences"], duration_ms)


def _give_up(run: Run) -> None:
    """Three workers died on it: a person asks again, and the trail says that it was not answered."""
    if not _close(run, RunState.FAILED, code="interrompida"):
        return
    trail.record(
        trail.Entry(
            correlacao_id=run.ref,
            acao="conhecimento.consultado",
            resultado=Result.ERRO,
            autorizacao=Authorization.REGRA,
            instrucao_hash=trail.rule_hash(composing.RULE),
            entrada_resumo=signature(run.requester_name, run.requester),
            erro="interrompida",
        )
    )


def _close(run: Run, state: RunState, **values: Any) -> bool:
    """Write under the claim's token; a late worker changes nothing."""
    return bool(_mine(run).update(state=state, finished_at=Now(), **lease.RELEASED, **values))


def _postpone(run: Run) -> None:
    """Nothing is wrong with the question: it queues for one lease, and the attempt does not count."""
    _mine(run).update(
        state=RunState.QUEUED,
        claim_token=None,
        lease_until=lease.until(),
        attempts=run.attempts,
    )


def _mine(run: Run) -> QuerySet[Run, Run]:
    return Run.objects.filter(pk=run.pk, claim_token=run.claim_token)


def _record(run: Run, level: str, sentences: list[dict[str, Any]], duration_ms: int) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=run.ref,
            acao="conhecimento.consultado",
            resultado=Result.OK if sentences else Result.RECUSADO,
            autorizacao=Authorization.REGRA,
            instrucao_hash=trail.rule_hash(composing.RULE),
            fontes=evidence.cited(sentences),
            entrada_resumo=signature(run.requester_name, run.requester),
            saida_resumo=f"cobertura: {LEVELS[level]}; citações: {len(sentences)}",
            duracao_ms=duration_ms,
        )
    )
