"""What somebody may read: a collection that is not granted to them does not exist for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db.models import Max

from grounding.models import Collection, ReaderEntry
from opspilot.tenancy import sql
from opspilot.tenancy.principal import AgentPrincipal, Principal, Role

_READERS = Path(__file__).parent / "sql" / "readers.sql"

Who = Principal | AgentPrincipal


@dataclass(frozen=True, slots=True)
class Readable:
    """A collection that one may read."""

    id: int
    slug: str
    name: str


def role_subject(role: str) -> str:
    """How a role stands in an entry; an agent stands in it as its own subject."""
    return f"papel:{role}"


def roles() -> list[tuple[str, str]]:
    """Each role as it stands in an entry, with its word."""
    return [(role_subject(role), str(role.label)) for role in Role]


def subjects_of_roles(roles: Iterable[Role]) -> list[str]:
    return sorted(role_subject(role) for role in roles)


def subjects_of(who: Who) -> list[str]:
    """A person reads what any of their roles reads; an agent what was granted to it alone."""
    if isinstance(who, AgentPrincipal):
        return [who.subject]
    return subjects_of_roles(who.roles)


def by_subjects(subjects: Sequence[str]) -> list[Readable]:
    """By name."""
    rows = sql.rows(_READERS, subjects=list(subjects))
    found = [Readable(id_, slug, name) for id_, slug, name, _subject in rows]
    return list(dict.fromkeys(found))


def by(who: Who) -> list[Readable]:
    return by_subjects(subjects_of(who))


def ids(who: Who) -> list[int]:
    return [found.id for found in by(who)]


def slugs_of(collections: Sequence[int]) -> tuple[str, ...]:
    """Of these ids, whoever may read them: what is granted is asked elsewhere."""
    found = Collection.objects.filter(pk__in=collections)
    return tuple(found.order_by("pk").values_list("slug", flat=True))


def state() -> int:
    """The number of the newest entry: which grants were looked at. 0 = there never was one."""
    newest: int | None = ReaderEntry.objects.aggregate(newest=Max("number"))["newest"]
    return newest or 0
