"""Collections and their readers as the shapes the pages draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _

from grounding.access import readable
from grounding.models import Collection, ReaderEntry, Version
from opspilot.api.models import Agent
from opspilot.errors import NotFoundError
from opspilot.tenancy.principal import agent_subject

HISTORY = 50  # entries


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who reads, and the entry that says so."""

    subject: str
    label: str
    entry: ReaderEntry


@dataclass(frozen=True, slots=True)
class Line:
    """A collection of the list."""

    url: str
    name: str
    slug: str
    readers: str
    documents: int


@dataclass(frozen=True, slots=True)
class One:
    collection: Collection
    documents: int
    readers: list[Reader] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    history: list[tuple[str, ReaderEntry]] = field(default_factory=list)

    @property
    def revocable(self) -> list[tuple[str, str]]:
        return [(reader.subject, reader.label) for reader in self.readers]


def lines() -> list[Line]:
    """Every collection of the company: who keeps the list sees all of it, but no document."""
    labels, documents = _labels(), _documents()
    newest = _newest(ReaderEntry.objects.all())
    return [
        Line(
            url=reverse("colecoes:collection", args=[one.slug]),
            name=one.name,
            slug=one.slug,
            readers=", ".join(
                labels.get(entry.subject, entry.subject)
                for entry in newest
                if entry.granted and entry.collection_id == one.pk
            )
            or _("ninguém"),
            documents=documents[one.pk],
        )
        for one in Collection.objects.order_by("name", "pk")
    ]


def collection(*, slug: str) -> Collection:
    found = Collection.objects.filter(slug=slug).first()
    if found is None:
        raise NotFoundError
    return found


def one(found: Collection) -> One:
    labels = _labels()
    entries = ReaderEntry.objects.filter(collection=found).order_by("-number")
    reading = {entry.subject: entry for entry in _newest(entries) if entry.granted}
    return One(
        collection=found,
        documents=_documents()[found.pk],
        readers=[
            Reader(subject, labels.get(subject, subject), entry)
            for subject, entry in reading.items()
        ],
        others=[pair for pair in _offered() if pair[0] not in reading],
        history=[(labels.get(e.subject, e.subject), e) for e in entries[:HISTORY]],
    )


def _newest(entries: Iterable[ReaderEntry]) -> list[ReaderEntry]:
    """Of each pair, roles before agents."""
    roles = dict(readable.roles())
    latest: dict[tuple[int, str], ReaderEntry] = {}
    for entry in sorted(entries, key=lambda e: e.number):
        latest[entry.collection_id, entry.subject] = entry
    return sorted(latest.values(), key=lambda e: (e.subject not in roles, e.subject))


def _offered() -> list[tuple[str, str]]:
    """Roles, and agents that are active."""
    agents = Agent.objects.filter(active=True).order_by("name", "pk")
    return readable.roles() + [(agent_subject(agent.slug), _agent(agent)) for agent in agents]


def _labels() -> dict[str, str]:
    """Also of agents that are switched off: what was granted to them is there to be read."""
    return dict(readable.roles()) | {agent_subject(a.slug): _agent(a) for a in Agent.objects.all()}


def _agent(agent: Agent) -> str:
    return f"{agent.name} ({agent.slug})"  # roles have no name of that form


def _documents() -> Counter[int]:
    rows = Version.objects.filter(active=True).values_list("document__collection_id")
    return Counter(dict(rows.annotate(number=Count("pk"))))
