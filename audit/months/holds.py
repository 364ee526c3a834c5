"""Legal holds: rows that stay whatever the retention says, until somebody lifts the hold."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from audit import trail
from audit.models import Entity, LegalHold, LegalHoldLift
from audit.months.errors import HoldLiftedError, RetentionError
from audit.months.retention import MIN_TEXT
from audit.vocabulary import Authorization, Result
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
    _check(person, reason)
    hold = LegalHold(
        tenant_id=person.tenant_id,
        entity_type=entity.type if entity else "",
        entity_ref=str(entity.ref) if entity else "",
        entity_title=entity.title if entity else "",
        reason=reason.strip(),
        author=person.subject,
        author_name=person.name,
    )
    hold.save(force_insert=True)
    hold.refresh_from_db()
    _record("guarda.iniciada", hold, person)
    return hold


def lift(*, hold: LegalHold, person: Principal, reason: str) -> LegalHoldLift:
    """End it. Raises HoldLiftedError when somebody did before."""
    _check(person, reason)
    made = LegalHoldLift(
        tenant_id=person.tenant_id, hold=hold, reason=reason.strip(),
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


def one(*, ref: uuid.UUID) -> LegalHold:
    found = LegalHold.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def _check(person: Principal, reason: str) -> None:
    if not person.has(*HOLDERS):
        raise RoleRequiredError
    if len(reason.strip()) < MIN_TEXT:
        raise RetentionError


def _record(action: str, hold: LegalHold, person: Principal) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=hold.ref,
            acao=action,
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entidade_tipo=hold.entity_type or None,
            entidade_id=hold.entity_ref or None,
            entrada_resumo=person.signature,
        )
    )
