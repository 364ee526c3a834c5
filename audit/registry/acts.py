"""What compliance decides about the registry: joining two entries, parting them, erasing one.

No row of the trail changes: each keeps the id it was written with, and an event says how ids are
read together. Each act is a row of the trail too, of every entry it touches.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from audit import trail
from audit.masking import mask
from audit.models import Entity, EntityChange, EntityEvent
from audit.months import holds
from audit.registry import standing
from audit.registry.errors import (
    ErasedError,
    HeldError,
    NotMergedError,
    OtherKindError,
    SameEntryError,
    ShortReasonError,
)
from opspilot.errors import RoleRequiredError
from opspilot.presentation.formats import date_text
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import ENTITY_KEEPERS

SHORTEST_REASON = 10
LONGEST_REASON = 300  # so that the trail, which cuts texts, keeps all of it


def merge(*, principal: Principal, entity: Entity, into: Entity, reason: str) -> Entity:
    """From now on `into`'s entry stands for `entity`'s; returns the one that stands for both.

    Raises SameEntryError, OtherKindError, ErasedError, ShortReasonError or RoleRequiredError.
    """
    words = _checked(principal, reason)
    if entity.type != into.type:
        raise OtherKindError
    _lock([entity, into])
    mine, theirs = standing.stands_for(entity), standing.stands_for(into)
    if mine.pk == theirs.pk:
        raise SameEntryError
    _refuse_erased([mine, theirs])
    _write(principal, mine, EntityChange.UNIDA, words, into=theirs)
    _record(principal, "entidade.unida", [mine, theirs], words)
    return theirs


def split(*, principal: Principal, entity: Entity, reason: str) -> None:
    """Undo this entry's newest merge: its own rows are read alone again, and what was written to
    the other entry meanwhile stays there.

    Raises NotMergedError, ShortReasonError or RoleRequiredError.
    """
    words = _checked(principal, reason)
    _lock([entity])
    into = standing.merged_into(entity)
    if into is None:
        raise NotMergedError
    _write(principal, entity, EntityChange.SEPARADA, words, into=into)
    _record(principal, "entidade.separada", [entity, into], words)


def erase(*, principal: Principal, entity: Entity, reason: str) -> None:
    """Title and document hash are gone, of this entry and of all merged into it: nobody finds it by
    a document any more, and its history is read by its internal id.

    Raises HeldError while a legal hold keeps it, ErasedError, ShortReasonError or RoleRequiredError.
    """
    words = _checked(principal, reason)
    whose = standing.members(entity)
    _lock(whose)
    _refuse_erased([entity])
    _refuse_held(entity)
    left = Entity.objects.filter(pk__in=[one.pk for one in whose], document_hash__isnull=False)
    for one in left:
        _write(principal, one, EntityChange.APAGADA, words)
    _record(principal, "entidade.apagada", left, words)
    left.update(title="", document_hash=None)


def _checked(principal: Principal, reason: str) -> str:
    if not principal.has(*ENTITY_KEEPERS):
        raise RoleRequiredError(roles=sorted(ENTITY_KEEPERS))
    words = " ".join(reason.split())[:LONGEST_REASON]
    if len(words) < SHORTEST_REASON:
        raise ShortReasonError
    return mask(words)


def _lock(entities: Iterable[Entity]) -> None:
    """One act at a time for each entry, in one order: two merges cannot make a circle."""
    ids = [one.pk for one in entities]
    list(Entity.objects.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk"))


def _refuse_erased(entities: Iterable[Entity]) -> None:
    ids = [one.pk for one in entities]
    if Entity.objects.filter(pk__in=ids, document_hash__isnull=True).exists():
        raise ErasedError


def _refuse_held(entity: Entity) -> None:
    held = holds.keeping(entity=entity)
    if not held:
        return
    words = _(
        "Guarda legal em vigor desde %(day)s: “%(reason)s”. A identidade fica; nada foi gravado."
    )
    day = date_text(timezone.localtime(held[0].since), language=get_language() or "pt-br")
    raise HeldError(words % {"day": day, "reason": held[0].reason.rstrip(".")})


def _write(
    principal: Principal,
    entity: Entity,
    kind: EntityChange,
    reason: str,
    *,
    into: Entity | None = None,
) -> None:
    EntityEvent.objects.create(
        tenant_id=principal.tenant_id,
        entity=entity,
        kind=kind,
        into=into,
        reason=reason,
        by=principal.subject,
        by_name=principal.name,
    )


def _record(principal: Principal, action: str, entities: Iterable[Entity], words: str) -> None:
    run = uuid.uuid4()
    for one in entities:
        trail.record_act(
            principal,
            action,
            correlacao_id=run,
            entidade_tipo=one.type,
            entidade_id=str(one.ref),
            saida_resumo=words,
        )
