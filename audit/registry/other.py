"""What is shown of another entry before it is joined to this one: whether it is the right one."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audit import entities
from audit.models import AgenteAcao, Entity
from audit.registry import standing

COUNTED = 1000
"""Rows that are counted at most: the sentence says "more than" where there are more."""


@dataclass(frozen=True, slots=True)
class Other:
    """The entry that would be joined: the one that stands for what was named."""

    ref: UUID
    title: str
    rows: str
    since: dt.datetime


def shown(named: Entity) -> Other:
    entity = standing.stands_for(named)
    rows = _rows_words(_count(entity))
    return Other(named.ref, entities.shown_title(entity), rows, entity.created_at)


def _count(entity: Entity) -> int:
    ids = [str(one.ref) for one in standing.members(entity)]
    rows = AgenteAcao.objects.filter(entidade_tipo=entity.type, entidade_id__in=ids)
    return len(rows.values_list("id")[: COUNTED + 1])


def _rows_words(count: int) -> str:
    if count > COUNTED:
        return _("mais de %(count)s linhas na trilha") % {"count": COUNTED}
    words = ngettext("%(count)s linha na trilha", "%(count)s linhas na trilha", count)
    return words % {"count": count}
