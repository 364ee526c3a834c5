"""Which entries of the registry stand for one another now, by what people decided about them."""

from __future__ import annotations

import datetime as dt

from django.db.models import OuterRef, Subquery

from audit.models import Entity, EntityChange, EntityEvent

_JOINING = (EntityChange.UNIDA, EntityChange.SEPARADA)


def stands_for(entity: Entity) -> Entity:
    """The entry at the end of this one's merges; itself, where nobody merged it."""
    found = entity
    while (further := merged_into(found)) is not None:
        found = further
    return found


def merged_into(entity: Entity) -> Entity | None:
    """The entry that stands for this one since its newest merge, if nobody split them again."""
    newest = EntityEvent.objects.filter(entity=entity, kind__in=_JOINING).select_related("into")
    last = newest.order_by("-pk").first()
    return last.into if last is not None and last.kind == EntityChange.UNIDA else None


def members(entity: Entity) -> list[Entity]:
    """Whose rows are read under this entry: itself first, then what was merged into it."""
    found = [entity]
    for one in found:  # grows while it is read: what was merged may have been merged into
        found += _merged_here(one)
    return found


def _merged_here(entity: Entity) -> list[Entity]:
    joined = EntityEvent.objects.filter(into=entity, kind=EntityChange.UNIDA)
    ever = list(joined.values_list("entity", flat=True))
    if not ever:  # nearly always, on every page of a history
        return []
    newest = EntityEvent.objects.filter(entity=OuterRef("pk"), kind__in=_JOINING).order_by("-pk")
    still = Entity.objects.filter(pk__in=ever).annotate(
        last_kind=Subquery(newest.values("kind")[:1]), last_into=Subquery(newest.values("into")[:1])
    )
    return list(still.filter(last_kind=EntityChange.UNIDA, last_into=entity.pk).order_by("pk"))


def changes(entity: Entity) -> list[EntityEvent]:
    """What was decided about this entry and those under it, newest first."""
    whose = [one.pk for one in members(entity)]
    found = EntityEvent.objects.filter(entity__in=whose) | EntityEvent.objects.filter(into=entity)
    return list(found.select_related("entity", "into").order_by("-pk")[:50])


def erased_at(entity: Entity) -> dt.datetime | None:
    """When this entry's identity was erased; None while it has one."""
    if entity.document_hash is not None:
        return None
    found = EntityEvent.objects.filter(entity=entity, kind=EntityChange.APAGADA).first()
    return found.at if found else None
