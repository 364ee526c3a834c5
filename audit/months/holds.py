"""Legal holds: rows that stay whatever the retention says, until somebody lifts the hold."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from audit import trail
from audit.masking import mask_whole
from audit.models import AgenteAcao, Entity, LegalHold, LegalHoldLift
from audit.months.calendar import moved, start_of
from audit.months.errors import HoldLiftedError, HoldReasonError
from audit.months.retention import MIN_TEXT
from audit.registry import standing
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy.principal import Principal, Role

HOLDERS = (Role.ADMIN, Role.CONFORMIDADE)
"""Who may place a hold and lift one; both stay written down."""
SHOWN = 200


@dataclass(frozen=True, slots=True)
class Held:
    """A hold and its end, when it has one."""

    hold: LegalHold
    lift: LegalHoldLift | None


def place(*, person: Principal, entity: Entity | None, reason: str) -> LegalHold:
    """Keep every month with a row of this entity, or of a run it appears in; None: of the company.

    Covers the months of today and those to come, for as long as it is not lifted.
    """
    words = _checked(person, reason)
    hold = LegalHold(
        tenant_id=person.tenant_id,
        entity_type=entity.type if entity else "",
        entity_ref=str(entity.ref) if entity else "",
        entity_title=entity.title if entity else "",
        reason=words,
        author=person.subject,
        author_name=person.name,
    )
    hold.save(force_insert=True)
    hold.refresh_from_db()
    _record("guarda.iniciada", hold, person)
    return hold


def lift(*, hold: LegalHold, person: Principal, reason: str) -> LegalHoldLift:
    """End it. Raises HoldLiftedError when somebody did before."""
    words = _checked(person, reason)
    made = LegalHoldLift(
        tenant_id=person.tenant_id, hold=hold, reason=words,
        author=person.subject, author_name=person.name,
    )  # fmt: skip
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError as exc:
        raise HoldLiftedError from exc
    _record("guarda.encerrada", hold, person)
    return made


def history() -> list[Held]:
    """The newest SHOWN of the scope's company, those in force and those lifted."""
    lifts = {row.hold_id: row for row in LegalHoldLift.objects.order_by("-pk")[:SHOWN]}
    return [Held(row, lifts.get(row.pk)) for row in LegalHold.objects.order_by("-pk")[:SHOWN]]


def keeping(*, entity: Entity) -> list[LegalHold]:
    """Those in force on this entry, on one that is read together with it, or on all of the company."""
    together = standing.members(standing.stands_for(entity))
    about = Q(entity_ref="") | Q(entity_ref__in=[str(one.ref) for one in together])
    return list(_in_force().filter(about).order_by("pk"))


def keeps(*, month: dt.date) -> bool:
    """Whether a hold of the company keeps the UTC month now. It may say no where an entry was parted
    from one that is held: the database, which judges at the end, keeps those too."""
    found = list(_in_force())
    rows = AgenteAcao.objects.filter(
        ocorrido_em__gte=start_of(month), ocorrido_em__lt=start_of(moved(month, 1))
    )
    if any(hold.entity_ref == "" for hold in found):
        return rows.exists()
    return bool(found) and rows.filter(correlacao_id__in=_runs(found)).exists()


def _runs(found: Sequence[LegalHold]) -> QuerySet[AgenteAcao, Any]:
    """The runs in which what is held appears."""
    held = Entity.objects.filter(ref__in=[hold.entity_ref for hold in found])
    ids = {str(one.ref) for who in held for one in standing.members(standing.stands_for(who))}
    types = {hold.entity_type for hold in found}
    about = AgenteAcao.objects.filter(entidade_tipo__in=types, entidade_id__in=ids)
    return about.values("correlacao_id")


def _in_force() -> QuerySet[LegalHold]:
    return LegalHold.objects.exclude(pk__in=LegalHoldLift.objects.values("hold"))


def one(*, ref: uuid.UUID) -> LegalHold:
    found = LegalHold.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def _checked(person: Principal, reason: str) -> str:
    """The reason as it is kept: without what never enters."""
    if not person.has(*HOLDERS):
        raise RoleRequiredError
    if len(reason.strip()) < MIN_TEXT:
        raise HoldReasonError
    return mask_whole(reason.strip())


def _record(action: str, hold: LegalHold, person: Principal) -> None:
    trail.record_act(
        person,
        action,
        correlacao_id=hold.ref,
        entidade_tipo=hold.entity_type or None,
        entidade_id=hold.entity_ref or None,
    )
