"""The worker's half of an audit pack: claim → proofs one by one → one signed file → ready; later, its
end. Killed at any step, the next claim begins the file anew; no transaction is open while it is written.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

import structlog
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from approvals.models import PackState, ProofPack
from approvals.proof import packing, sampling
from approvals.proof.pack_asking import OPEN
from audit.files import folders
from audit.files.folders import KEPT
from audit.proving.sample_form import Manifest
from audit.seal import keys
from opspilot.tenancy import lease
from opspilot.tenancy.principal import signature
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
SCHEMA_VERSION = 1
MAX_ATTEMPTS = 5


class LateError(RuntimeError):
    """Another worker has taken the pack over; nothing is written."""


def advance(*, tenant_id: UUID, pack_id: int) -> None:
    """Take one pack as far as it goes. Safe to call at any time, by anybody."""
    with tenant_scope(tenant_id):
        pack = _take(pack_id)
    if pack is None:
        return
    try:
        _step(pack)
    except LateError:
        log.warning("somebody else has the pack now", pack=pack_id)
    except (keys.NoKeyError, keys.BadKeyError):
        _give_up(pack, "sem_chave")
    except OSError as exc:
        log.error("the pack could not be written", pack=pack_id, exc_info=exc)
        _give_up(pack, folders.code_of(exc))


def _take(pack_id: int) -> ProofPack | None:
    over = Q(state=PackState.READY, expires_at__lte=Now())
    due = ProofPack.objects.filter(
        lease.free(), Q(state__in=OPEN) | over, pk=pack_id, versao_esquema__lte=SCHEMA_VERSION
    )
    pack = lease.claim(due, attempts=F("attempts") + 1)
    if pack is not None:
        pack.attempts += 1
    return pack


def _step(pack: ProofPack) -> None:
    if pack.state == PackState.READY:
        # First the files: what a row calls gone must be gone.
        folders.remove(pack)
        with tenant_scope(pack.tenant_id):
            _close(pack, state=PackState.EXPIRED)
    elif pack.attempts > MAX_ATTEMPTS:
        _give_up(pack, "interrompido")
    else:
        _build(pack)


def _build(pack: ProofPack) -> None:
    with tenant_scope(pack.tenant_id):
        _renew(pack, state=PackState.BUILDING)
    folders.make(pack)
    path, wanted = folders.fresh(pack), _wanted(pack)
    beat = lease.beat(tenant_id=pack.tenant_id, renew=lambda: _renew(pack))
    with folders.whole(path) as stream:
        manifest = packing.pack(stream=stream, wanted=wanted, beat=beat)
    pack.sha256 = folders.sha256(path, beat)
    path.replace(folders.package(pack))
    with tenant_scope(pack.tenant_id):
        _ready(pack, manifest)
    folders.remove_but_the_package(pack)


def _wanted(pack: ProofPack) -> packing.Wanted:
    return packing.Wanted(pack.tenant_id, sampling.quarter(pack.quarter), pack.wanted, pack.seed)


def _ready(pack: ProofPack, manifest: Manifest) -> None:
    _close(
        pack,
        state=PackState.READY,
        sha256=pack.sha256,
        size=folders.package(pack).stat().st_size,
        drawn=len(manifest.arquivos),
        effects=len(manifest.universo),
        attempts=0,
        ready_at=Now(),
        expires_at=Now() + KEPT,
    )
    by = signature(pack.asked_by_name, pack.asked_by)
    said = f"{packing.drawn(manifest)}, sha256 {pack.sha256}"
    packing.record(said=said, by=by, run=pack.ref)


def _give_up(pack: ProofPack, code: str) -> None:
    """First the row, then the files: they may be another's by now."""
    try:
        with tenant_scope(pack.tenant_id):
            _close(pack, state=PackState.FAILED, code=code)
    except LateError:
        return
    folders.remove(pack)


def _renew(pack: ProofPack, **values: Any) -> None:
    if not lease.renew(_mine(pack), **values):
        raise LateError(pack.pk)


def _close(pack: ProofPack, **values: Any) -> None:
    if not _mine(pack).update(**values, **lease.RELEASED):
        raise LateError(pack.pk)


def _mine(pack: ProofPack) -> QuerySet[ProofPack, ProofPack]:
    return ProofPack.objects.filter(pk=pack.pk, claim_token=pack.claim_token)
