"""Asks for a trace, looks at it, tries it again and takes it along: all of it the asker's alone."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path

from audit import trail
from audit.files import folders
from audit.files.errors import NoFolderError
from audit.masking import mask
from audit.models import Entity, EntityChange, EntityEvent, Trace, TraceState
from audit.trace import claims
from audit.trace.errors import (
    GoneError,
    NothingToRetryError,
    NotReadyError,
    ReasonTooShortError,
    UnknownTraceError,
)
from opspilot.errors import RoleRequiredError
from opspilot.queue import wake
from opspilot.tenancy import clock, lease
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.roles import TRACE_ASKERS

(ROLE,) = TRACE_ASKERS
LEAST_REASON = 10  # characters


def ask(*, person: Principal, entity: Entity, reason: str) -> Trace:
    """The trace that will be built; the one that is being built already, when there is one."""
    reason = reason.strip()
    if not person.has(ROLE):
        raise RoleRequiredError(roles=[ROLE.value])
    if len(reason) < LEAST_REASON:
        raise ReasonTooShortError
    if not folders.is_configured():
        raise NoFolderError
    about = {"entity_type": entity.type, "entity_ref": entity.ref, "asked_by": person.subject}
    building = Trace.objects.filter(**about, state__in=claims.OPEN).first()
    if building is not None:
        return building
    trace = Trace.objects.create(
        tenant_id=person.tenant_id,
        asked_by_name=person.name,
        asked_role=ROLE.value,
        reason=mask(reason),
        until=clock.now(),  # before the row of the asking: a trace does not tell of itself
        **about,
    )
    _record(trace, person, "exportacao.pedida", reason)
    wake("traces")
    return trace


def mine(*, person: Principal, ref: uuid.UUID) -> Trace:
    """A trace that this person asked for, as long as they have the role they asked with."""
    trace = Trace.objects.filter(ref=ref, asked_by=person.subject).first()
    if trace is None or not person.has(Role(trace.asked_role)):
        raise UnknownTraceError
    return trace


def asked(*, person: Principal, entity: Entity, most: int = 10) -> Sequence[Trace]:
    """What this person asked about the entity, newest first."""
    found = Trace.objects.filter(
        entity_type=entity.type, entity_ref=entity.ref, asked_by=person.subject
    )
    return list(found.order_by("-pk")[:most])


def retry(*, person: Principal, ref: uuid.UUID) -> Trace:
    """From the first row on, up to the moment of the first asking."""
    trace = mine(person=person, ref=ref)
    begin_again(ref=ref)
    return trace


def begin_again(*, ref: uuid.UUID) -> None:
    """Whoever asks: the file is for who asked first, and for nobody else."""
    again = Trace.objects.filter(ref=ref, state=TraceState.FAILED).update(
        state=TraceState.QUEUED,
        code="",
        attempts=0,
        parts=0,
        rows=0,
        place_at=None,
        place_row=None,
        **lease.RELEASED,
    )
    if not again:
        raise NothingToRetryError
    wake("traces")


def take_along(*, person: Principal, ref: uuid.UUID) -> tuple[Trace, Path]:
    """Where the file is. That it was taken along is a row of the trail."""
    trace = mine(person=person, ref=ref)
    if trace.state in (TraceState.EXPIRED, TraceState.READY) and not is_kept(trace):
        raise GoneError
    if trace.state != TraceState.READY:
        raise NotReadyError
    _record(trace, person, "exportacao.baixada", f"rastro: sha256 {trace.sha256}")
    return trace, folders.package(trace)


def is_kept(trace: Trace) -> bool:
    """Whether the file may still be taken along: not after its time, by the database's clock, nor
    once the identity that it names was erased."""
    return (
        trace.state == TraceState.READY
        and folders.is_kept(trace, now=clock.now())
        and not _was_erased_since(trace)
    )


def _was_erased_since(trace: Trace) -> bool:
    return EntityEvent.objects.filter(
        kind=EntityChange.APAGADA,
        at__gte=trace.asked_at,
        entity__type=trace.entity_type,
        entity__ref=trace.entity_ref,
    ).exists()


def _record(trace: Trace, person: Principal, action: str, said: str) -> None:
    trail.record_act(
        person,
        action,
        correlacao_id=trace.ref,
        entidade_tipo=trace.entity_type,
        entidade_id=str(trace.entity_ref),
        saida_resumo=said,
    )
