"""Pressing an emergency stop and lifting it. One person stops; lifting is an admin's act.

What is already being sent is not interrupted: nobody could tell what became of it. Nothing else in
the stop's scope starts, whatever was approved, until it is lifted.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now

from approvals.errors import ReasonRequiredError
from approvals.models import (
    EmergencyStop,
    EmergencyStopLift,
    Execution,
    ExecutionState,
    StopScope,
)
from approvals.stops.stop_errors import AlreadyLiftedError, AlreadyStoppedError
from audit import trail
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.queue import wake
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import current_tenant_id

PRESSERS = (Role.ADMIN, Role.APROVADOR)
LIFTERS = (Role.ADMIN,)
CONNECTORS = ("gitlab", "semaphore")
MIN_REASON = 10
SHOWN = 100
_HELD = "parada_de_emergencia"
_LOCK = 22283  # the one of the migration that made the tables


@dataclass(frozen=True, slots=True)
class Past:
    """A stop and, once there is one, its end."""

    stop: EmergencyStop
    lift: EmergencyStopLift | None


def press(*, person: Principal, scope: StopScope, subject: str, reason: str) -> EmergencyStop:
    """Let nothing of this scope start from now on. `subject` is an agent's short name or one of
    CONNECTORS; "" for the whole company.

    When it returns, every claim of before has committed and none after it passes. Raises
    AlreadyStoppedError, ReasonRequiredError or RoleRequiredError.
    """
    _check(person, PRESSERS, reason)
    _alone()
    if in_force_rows().filter(scope=scope, subject=subject).exists():
        raise AlreadyStoppedError
    row = EmergencyStop(
        tenant_id=person.tenant_id, scope=scope, subject=subject, reason=reason.strip(),
        pressed_by=person.subject, pressed_name=person.name,
    )  # fmt: skip
    row.save(force_insert=True)
    row.refresh_from_db()
    _record("parada.acionada", row, person, row.reason)
    return row


def lift(*, stop: EmergencyStop, admin: Principal, reason: str) -> None:
    """End it; what waited for it is looked at again at once. Any admin may, also who pressed it."""
    _check(admin, LIFTERS, reason)
    row = EmergencyStopLift(
        tenant_id=admin.tenant_id, stop=stop, reason=reason.strip(),
        lifted_by=admin.subject, lifted_name=admin.name,
    )  # fmt: skip
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as exc:
        raise AlreadyLiftedError from exc
    _record("parada.levantada", stop, admin, row.reason)
    # Each was due when it was held: the hold and a chosen time had passed.
    held = Execution.objects.filter(state=ExecutionState.RETIDA, reason=_HELD)
    held.update(not_before=Now(), updated_at=Now())
    wake("execution")


def in_force() -> list[EmergencyStop]:
    """The stops of now, the oldest first."""
    return list(in_force_rows().order_by("pk")[:SHOWN])


def in_force_rows() -> QuerySet[EmergencyStop]:
    lifted = EmergencyStopLift.objects.filter(stop=OuterRef("pk"))
    return EmergencyStop.objects.filter(~Exists(lifted))


def history() -> list[Past]:
    """The newest SHOWN, whatever became of them."""
    rows = list(EmergencyStop.objects.order_by("-pk")[:SHOWN])
    lifts = {row.stop_id: row for row in EmergencyStopLift.objects.filter(stop__in=rows)}
    return [Past(row, lifts.get(row.pk)) for row in rows]


def one(*, ref: UUID) -> Past:
    stop = stop_of(ref=ref)
    return Past(stop, EmergencyStopLift.objects.filter(stop=stop).first())


def stop_of(*, ref: UUID) -> EmergencyStop:
    found = EmergencyStop.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def _check(person: Principal, roles: tuple[Role, ...], reason: str) -> None:
    if not person.has(*roles):
        raise RoleRequiredError(roles=sorted(roles))
    if len(reason.strip()) < MIN_REASON:
        raise ReasonRequiredError


def _alone() -> None:
    """Wait for the claims that are being made, and keep new ones waiting until this is written."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LOCK, str(current_tenant_id())]
        )


def _record(action: str, stop: EmergencyStop, person: Principal, reason: str) -> None:
    what = " ".join(part for part in (stop.scope, stop.subject) if part)
    trail.record_act(person, action, saida_resumo=f"parada {stop.ref}: {what}. Motivo: {reason}")
