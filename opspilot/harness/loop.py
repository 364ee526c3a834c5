"""The worker's half of a request: it is claimed, goes on to its end, or is put back."""

from __future__ import annotations

from uuid import UUID

import structlog
from django.db.models import F
from django.db.models.functions import Now

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.answers import composing
from opspilot import telemetry
from opspilot.budgets import telling
from opspilot.connectors.errors import UnavailableError
from opspilot.harness.asking import LateRunError
from opspilot.harness.models import SCHEMA_VERSION, Run, RunState
from opspilot.harness.running import claims, going, trips
from opspilot.tenancy import lease
from opspilot.tenancy.principal import signature
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 3
OPEN = (RunState.QUEUED, RunState.RUNNING)


def advance(*, tenant_id: UUID, run_id: int) -> None:
    """Take one request to its end. Models run with no transaction open."""
    with tenant_scope(tenant_id):
        run = _claim(run_id)
        begun = trips.begin(run) if run is not None else None
    if begun is None:
        return
    trip, rows = begun
    with telemetry.span("run", kind=trip.run.kind):
        try:
            if not trip.run.stop_by:  # then it only ends
                trips.recall(trip, rows)
            going.go(trip)
        except LateRunError:
            log.warning("another worker has taken the request over", run=run_id)
        except UnavailableError:
            log.warning("the embedder does not answer, the request waits", run=run_id)
            with tenant_scope(tenant_id):
                _postpone(trip.run)


def _claim(run_id: int) -> Run | None:
    due = Run.objects.filter(
        lease.free(), pk=run_id, state__in=OPEN, versao_esquema__lte=SCHEMA_VERSION
    )
    run = lease.claim(due, state=RunState.RUNNING, attempts=F("attempts") + 1)
    if run is None:
        return None
    if run.attempts >= MAX_ATTEMPTS and not run.stop_by:
        _give_up(run)
        return None
    return run


def _give_up(run: Run) -> None:
    """Three workers died on it: a person asks again, and the trail says that it was not answered."""
    if not claims.mine(run).update(
        state=RunState.FAILED, code="interrompida", finished_at=Now(), **lease.RELEASED
    ):
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
            **telling.tell(run_ref=run.ref).columns(),
        )
    )


def _postpone(run: Run) -> None:
    """Nothing is wrong with the request: it queues for one lease, and the attempt does not count."""
    claims.mine(run).update(
        state=RunState.QUEUED,
        claim_token=None,
        lease_until=lease.until(),
        attempts=run.attempts,
    )
