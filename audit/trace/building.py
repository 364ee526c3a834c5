"""The worker's half of a trace: claim → rows in parts → one package → ready; later, its end.

Killed at any step, the next claim goes on from the last part that the row counts. No transaction is
open while files are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from django.conf import settings

from audit import trail
from audit.files import folders
from audit.models import Trace, TraceState
from audit.trace import assembling, claims, known, manifest, parts, reading, whose
from audit.trace.assembling import Package
from audit.trace.masker import Masker
from audit.vocabulary import Authorization, Result
from opspilot.tenancy import lease
from opspilot.tenancy.principal import signature
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)


def advance(*, tenant_id: UUID, trace_id: int) -> None:
    """Take one trace as far as it goes. Safe to call at any time, by anybody."""
    with tenant_scope(tenant_id):
        trace = claims.take(trace_id)
    if trace is None:
        return
    try:
        _step(trace)
    except claims.LateError:
        log.warning("somebody else has the trace now", trace=trace_id)
    except OSError as exc:
        log.error("the trace could not be written", trace=trace_id, exc_info=exc)
        _give_up(trace, folders.code_of(exc))


def _step(trace: Trace) -> None:
    if trace.state == TraceState.READY:
        _end(trace)
    elif trace.attempts > claims.MAX_ATTEMPTS:
        _give_up(trace, "interrompido")
    else:
        _build(trace)


def _build(trace: Trace) -> None:
    folders.make(trace)
    zone = ZoneInfo(settings.TIME_ZONE)
    with tenant_scope(trace.tenant_id):
        about = whose.whose(trace)
        masker = known.masker(type_=trace.entity_type, ids=about.ids)
    _collect(trace, about.ids, masker, zone)
    with tenant_scope(trace.tenant_id):
        found = manifest.facts(trace, title=about.title, ids=about.ids, masker=masker)
    if found.rows != trace.rows:
        # A row committed late, a month went, or entries were joined while we read.
        with tenant_scope(trace.tenant_id):
            claims.begun_again(trace)
        return
    beat = lease.beat(tenant_id=trace.tenant_id, renew=lambda: claims.renew(trace))
    package = assembling.assemble(trace, found, zone=zone, beat=beat)
    with tenant_scope(trace.tenant_id):
        _ready(trace, package)
    folders.remove_but_the_package(trace)


def _collect(trace: Trace, ids: Sequence[str], masker: Masker, zone: ZoneInfo) -> None:
    while True:
        with tenant_scope(trace.tenant_id):
            rows = reading.batch(trace, ids, limit=reading.BATCH)
            lines = parts.masked(rows, masker)
        if not rows:
            return
        parts.write(trace, trace.parts + 1, lines, zone)
        with tenant_scope(trace.tenant_id):
            claims.advanced(trace, rows[-1].place, len(rows))


def _ready(trace: Trace, package: Package) -> None:
    claims.finished(trace, sha256=package.sha256, size=package.size, is_signed=package.is_signed)
    trail.record(
        trail.Entry(
            correlacao_id=trace.ref,
            acao="exportacao.gerada",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entidade_tipo=trace.entity_type,
            entidade_id=str(trace.entity_ref),
            entrada_resumo=signature(trace.asked_by_name, trace.asked_by),
            saida_resumo=f"rastro: {trace.rows} linhas, sha256 {package.sha256}",
        )
    )


def _give_up(trace: Trace, code: str) -> None:
    """First the row, then the files: they may be another's by now."""
    try:
        with tenant_scope(trace.tenant_id):
            claims.failed(trace, code)
    except claims.LateError:
        return
    folders.remove(trace)


def _end(trace: Trace) -> None:
    """First the files: what a row calls gone must be gone."""
    folders.remove(trace)
    with tenant_scope(trace.tenant_id):
        claims.expired(trace)
