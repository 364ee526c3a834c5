"""Asks for an audit pack, lists the company's and takes one along. Each act is a row of the trail."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from approvals.models import PackState, ProofPack
from approvals.proof import sampling
from approvals.proof.pack_errors import PackGoneError, PackNotReadyError, UnknownPackError
from audit import trail
from audit.files import folders
from audit.files.errors import NoFolderError
from opspilot.errors import RoleRequiredError
from opspilot.queue import wake
from opspilot.tenancy import clock, lease
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import PACK_ASKERS

OPEN = (PackState.QUEUED, PackState.BUILDING)


def ask(*, person: Principal, of: sampling.Quarter, size: int, seed: str = "") -> ProofPack:
    """The pack that will be built; the same one where this person's same wish is being built
    already. Without a seed one is drawn."""
    _must_be_asker(person)
    if not folders.is_configured():
        raise NoFolderError
    about = {"quarter": of.name, "wanted": size, "asked_by": person.subject}
    given = {"seed": seed} if seed else {}
    building = ProofPack.objects.filter(**about, **given, state__in=OPEN).first()
    if building is not None:
        return building
    pack = ProofPack.objects.create(
        tenant_id=person.tenant_id,
        asked_by_name=person.name,
        **about | {"seed": seed or secrets.token_hex(8)},
    )
    said = f"amostra de {of.name}: até {size}, semente {pack.seed}"
    _record(pack, person, "exportacao.pedida", said)
    wake("packs")
    return pack


def begin_again(*, ref: UUID) -> None:
    """One that failed, with the same seed, for who asked for it. Raises UnknownPackError for any
    other."""
    again = ProofPack.objects.filter(ref=ref, state=PackState.FAILED).update(
        state=PackState.QUEUED, code="", attempts=0, **lease.RELEASED
    )
    if not again:
        raise UnknownPackError
    wake("packs")


def listed(*, most: int = 50) -> Sequence[ProofPack]:
    """The company's packs, newest first: who audits sees also those that others asked for."""
    return list(ProofPack.objects.order_by("-pk")[:most])


def take_along(*, person: Principal, ref: UUID) -> tuple[ProofPack, Path]:
    """Where the file is. That it was taken along is a row of the trail."""
    _must_be_asker(person)
    pack = ProofPack.objects.filter(ref=ref).first()
    if pack is None:
        raise UnknownPackError
    if pack.state in (PackState.EXPIRED, PackState.READY) and not is_kept(pack, now=clock.now()):
        raise PackGoneError
    if pack.state != PackState.READY:
        raise PackNotReadyError
    said = f"amostra de {pack.quarter}: sha256 {pack.sha256}"
    _record(pack, person, "exportacao.baixada", said)
    return pack, folders.package(pack)


def is_kept(pack: ProofPack, *, now: dt.datetime) -> bool:
    """Whether the file may still be taken along."""
    return pack.state == PackState.READY and folders.is_kept(pack, now=now)


def _must_be_asker(person: Principal) -> None:
    if not person.has(*PACK_ASKERS):
        raise RoleRequiredError(roles=sorted(PACK_ASKERS))


def _record(pack: ProofPack, person: Principal, action: str, said: str) -> None:
    trail.record_act(person, action, correlacao_id=pack.ref, saida_resumo=said)
