"""The one end of a run: its state, its last step and its row of the trail, in one transaction and
under the worker's claim."""

from __future__ import annotations

from typing import Any

from django.db.models.functions import Now

from audit import trail
from audit.vocabulary import Authorization
from grounding.consulting import receipt_source
from opspilot.budgets import telling
from opspilot.harness.asking import LateRunError
from opspilot.harness.running import claims, ends
from opspilot.harness.running.ends import End
from opspilot.harness.running.steps import Made
from opspilot.harness.running.trips import Trip
from opspilot.tenancy import lease
from opspilot.tenancy.principal import signature
from opspilot.tenancy.scope import tenant_scope


def close(trip: Trip, end: End, made: Made | None = None) -> None:
    """In a scope of its own."""
    with tenant_scope(trip.run.tenant_id):
        close_here(trip, end, made)


def close_here(trip: Trip, end: End, made: Made | None = None) -> None:
    """In the open scope. What somebody stopped meanwhile ends as stopped, whatever came of it.
    Raises LateRunError where the run is another worker's: then nothing is written."""
    if not claims.mine(trip.run).filter(stop_by="").update(**_fields(trip, end)):
        end = ends.stopped()
        if not claims.mine(trip.run).update(**_fields(trip, end)):
            raise LateRunError(trip.run.pk)
    if made is not None:
        trip.write(made)
    _record(trip, end)


def _fields(trip: Trip, end: End) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "state": end.state,
        "code": end.code,
        "coverage": trip.coverage,
        "finished_at": Now(),
    }
    return fields | lease.RELEASED | dict(end.values)


def _record(trip: Trip, end: End) -> None:
    run, use = trip.run, trip.use
    receipts = [receipt_source(trip.found.receipt)] if trip.found else []
    trail.record(
        trail.Entry(
            correlacao_id=run.ref,
            acao=end.action,
            resultado=end.result,
            autorizacao=Authorization.REGRA,
            modelo=use.served or trail.NO_MODEL,
            modelo_pedido=use.asked or None,
            instrucao_hash=end.instruction or trip.planner.instruction_hash,
            fontes=[*map(dict, end.sources), *receipts],
            entrada_resumo=signature(run.requester_name, run.requester),
            saida_resumo=end.said or None,
            duracao_ms=trip.milliseconds(),
            erro=end.error or None,
            **telling.tell(run_ref=run.ref).columns(),
        )
    )
