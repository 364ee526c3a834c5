"""The worker's half of a question: retrieve → draft → check citations → answer or abstain."""

from __future__ import annotations

import datetime as dt
import time
import uuid
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding import answering
from grounding.answering import Answer
from grounding.consult import Grounded, consult, prepare
from opspilot import telemetry
from opspilot.harness.models import Run, RunState
from opspilot.tenancy.scope import tenant_scope

MAX_ATTEMPTS = 3
OPEN = (RunState.QUEUED, RunState.RUNNING)


def advance(*, tenant_id: UUID, run_id: int) -> None:
    """Take one question to its end. Models run with no transaction open."""
    with tenant_scope(tenant_id):
        run = _claim(run_id)
    if run is None:
        return
    started = time.monotonic()
    with telemetry.span("run", kind=run.kind):
        query = prepare(run.question)
        with tenant_scope(tenant_id):
            grounded = consult(query=query, collections=run.collections)
        answer = answering.draft(query=query, grounded=grounded)
        with tenant_scope(tenant_id):
            answer = answering.checked(answer)
            _finish(run, grounded, answer, int((time.monotonic() - started) * 1000))


def _claim(run_id: int) -> Run | None:
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
    due = Run.objects.filter(free, pk=run_id, state__in=OPEN)
    run = due.first()
    if run is None:
        return None
    token = uuid.uuid4()
    lease = dt.timedelta(seconds=settings.OPSPILOT_LEASE_SECONDS)
    taken = due.filter(claim_token=run.claim_token).update(
        state=RunState.RUNNING,
        claim_token=token,
        lease_until=Now() + lease,
        attempts=run.attempts + 1,
    )
    if not taken:
        return None
    run.claim_token = token
    if run.attempts >= MAX_ATTEMPTS:
        _give_up(run)
        return None
    return run


def _finish(run: Run, grounded: Grounded, answer: Answer, duration_ms: int) -> None:
    state = RunState.ANSWERED if answer.sentences else RunState.ABSTAINED
    level = grounded.coverage.level if answer.sentences else "nenhuma"
    content = answering.as_json(answer, grounded) | {"duration_ms": duration_ms}
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
            instrucao_hash=trail.rule_hash(answering.RULE),
            entrada_resumo=f"{run.requester_name} ({run.requester})",
            erro="interrompida",
        )
    )


def _close(run: Run, state: RunState, **values: Any) -> bool:
    """Write under the claim's token; a late worker changes nothing."""
    mine = Run.objects.filter(pk=run.pk, claim_token=run.claim_token)
    return bool(
        mine.update(state=state, claim_token=None, lease_until=None, finished_at=Now(), **values)
    )


def _record(run: Run, level: str, sentences: list[dict[str, Any]], duration_ms: int) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=run.ref,
            acao="conhecimento.consultado",
            resultado=Result.OK if sentences else Result.RECUSADO,
            autorizacao=Authorization.REGRA,
            instrucao_hash=trail.rule_hash(answering.RULE),
            fontes=[
                {key: s[key] for key in ("chunk_id", "version_id", "sha256")} for s in sentences
            ],
            entrada_resumo=f"{run.requester_name} ({run.requester})",
            saida_resumo=f"cobertura {level}, {len(sentences)} citações",
            duracao_ms=duration_ms,
        )
    )
