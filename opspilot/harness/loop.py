"""The worker's half of a question: retrieve → draft → check citations → answer or abstain."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

import structlog
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.access import askers, readable
from grounding.answers import composing
from grounding.consulting import LEVELS, consultar_grounding, receipt_source
from grounding.contract import Contexto, Resultado
from opspilot import telemetry
from opspilot.connectors.errors import UnavailableError
from opspilot.harness import answering, evidence
from opspilot.harness.answering import Drafted
from opspilot.harness.models import SCHEMA_VERSION, Run, RunState
from opspilot.tenancy import lease
from opspilot.tenancy.principal import signature
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 3
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
        except answering.LateRunError:
            log.warning("another worker has taken the question over", run=run_id)
        except UnavailableError:
            log.warning("the embedder does not answer, the question waits", run=run_id)
            with tenant_scope(tenant_id):
                _postpone(run)


def _answer(run: Run) -> None:
    started = time.monotonic()
    found = _consulted(run)
    drafted = answering.draft(
        run, query=found.query, grounded=found.grounded, still_mine=lambda: _still_mine(run)
    )
    with tenant_scope(run.tenant_id):
        drafted.answer = composing.checked(drafted.answer, worded=drafted.completed is not None)
        _finish(run, found, drafted, int((time.monotonic() - started) * 1000))


def _still_mine(run: Run) -> bool:
    with tenant_scope(run.tenant_id):
        return lease.renew(_mine(run))


def _consulted(run: Run) -> Resultado:
    """By the requester's roles of now, over what they asked for."""
    asker = askers.of_run(
        tenant_id=run.tenant_id, subject=run.requester, name=run.requester_name, run=run.ref
    )
    with tenant_scope(run.tenant_id):
        asked = readable.slugs_of(run.collections)
    context = Contexto(agente_id=run.requester, escopos_permitidos=asked)
    return consultar_grounding(run.question, context, asker=asker)


def _claim(run_id: int) -> Run | None:
    due = Run.objects.filter(
        lease.free(), pk=run_id, state__in=OPEN, versao_esquema__lte=SCHEMA_VERSION
    )
    run = lease.claim(due, state=RunState.RUNNING, attempts=F("attempts") + 1)
    if run is None:
        return None
    if run.attempts >= MAX_ATTEMPTS:
        _give_up(run)
        return None
    return run


def _finish(run: Run, found: Resultado, drafted: Drafted, duration_ms: int) -> None:
    answer = drafted.answer
    state = RunState.ANSWERED if answer.sentences else RunState.ABSTAINED
    level = found.cobertura if answer.sentences else "nenhuma"
    content = composing.as_json(answer, found.grounded) | {"duration_ms": duration_ms}
    content |= drafted.as_json()
    if _close(run, state, coverage=level, answer=content, code=drafted.code):
        _record(run, level, found, drafted, content)


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


def _record(
    run: Run, level: str, found: Resultado, drafted: Drafted, content: dict[str, Any]
) -> None:
    sentences = content["sentences"]
    trail.record(
        trail.Entry(
            correlacao_id=run.ref,
            acao="conhecimento.consultado",
            resultado=Result.OK if sentences else Result.RECUSADO,
            autorizacao=Authorization.REGRA,
            erro=drafted.code or None,
            **drafted.columns(),
            fontes=[*evidence.cited(sentences), receipt_source(found.recibo)],
            entrada_resumo=signature(run.requester_name, run.requester),
            saida_resumo=f"cobertura: {LEVELS[level]}; citações: {len(sentences)}",
            duracao_ms=content["duration_ms"],
        )
    )
