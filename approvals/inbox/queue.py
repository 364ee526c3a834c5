"""Reads of one queue: its rows, its size, the place of a proposal in it, what came and what left.

Each is one query however long the queue is; see `queue_rows` for what keeps it quick, and
`composed` for what does not make it anew each time.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import (
    Case,
    Count,
    DateTimeField,
    Exists,
    F,
    Func,
    IntegerField,
    JSONField,
    OuterRef,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.db.models.lookups import Exact

from approvals.deciders.delegation import Reach
from approvals.inbox import composed, queue_rows
from approvals.inbox.composed import KEPT, Composed
from approvals.inbox.queue_rows import BOUND, BoundedCount, Reader, Rows
from approvals.inbox.queue_url import DEFAULT, NO_COVERAGE, Queue
from approvals.models import AgenteAprovacao, Decision, Verdict
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal

LIMIT = 50  # lines of a page: drawing them is what a page costs
NEAREST = 500  # how many rows the choices of the filters are taken from
_CALLING = ("para-mim", "andamento", "desconhecido")
# When a row entered the tab; a tab that is not here keeps no such moment.
_ENTERED = dict.fromkeys(("para-mim", "minhas", "todas"), "criada_em") | {
    "decididas": "decidida_em"
}
_ONLY_GROWING = frozenset({"minhas", "todas", "decididas"})
_LONG = frozenset({"proposta", "evidencia", "justificativa"})  # texts that no line shows
_COLUMNS = [f.attname for f in AgenteAprovacao._meta.concrete_fields if f.name not in _LONG]
_ANY = UUID(int=0)  # stands for the proposal a query is asked about


@dataclass(frozen=True, slots=True)
class Place:
    """Where a proposal stands; position 0 = outside, and then `following` is the first.

    A position or a length over BOUND says "more than BOUND" and nothing else.
    """

    position: int
    length: int
    previous: UUID | None
    following: UUID | None
    waiting: int = 0  # what this person may decide at all


@dataclass(frozen=True, slots=True)
class Mark:
    """When a queue was shown, where its tab keeps that moment, and how long it was."""

    newest: dt.datetime | None
    size: int


@dataclass(frozen=True, slots=True)
class News:
    came: int
    left: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Values of one combination that occurs in a tab."""

    risco: str
    alvo: str
    solicitante: str
    solicitante_nome: str
    cobertura: str


@dataclass(frozen=True, slots=True)
class Overview:
    """A queue in numbers, all of one moment. No number goes beyond BOUND + 1.

    `whole` is without the filters, `waiting` is what this person may decide at all.
    """

    now: dt.datetime
    mark: Mark
    whole: int
    waiting: int
    tabs: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Page:
    overview: Overview
    rows: list[AgenteAprovacao]
    number: int  # 0 for a page that goes on after a proposal
    more: bool
    choices: list[Choice]
    hidden: Mapping[str, int]  # of an empty queue: what appears without each filter


def page(
    *,
    principal: Principal,
    queue: Queue,
    number: int = 1,
    after: UUID | None = None,
    reach: Reach | None = None,
) -> Page:
    """The lines of one page: by number as far as numbers go, else from after a proposal on.

    The numbers are taken first: a row that comes in between is shown and told as new.
    """
    reader = Reader(principal, reach)
    overview = _overview(reader, queue)
    if after is not None:
        number = 0
        asked = composed.of(_columns(_after(reader.ordered(queue), queue, after))[: LIMIT + 1])
    else:
        number = max(1, min(number, -(-overview.mark.size // LIMIT), BOUND // LIMIT))
        start = (number - 1) * LIMIT
        asked = _slice(principal, reader.reach, queue, start, start + LIMIT + 1)
    rows = _built(asked)
    return Page(
        overview,
        rows[:LIMIT],
        number,
        more=len(rows) > LIMIT,
        choices=_choices(reader, queue) if overview.whole else [],
        hidden={} if overview.mark.size else _hidden_by(reader, queue),
    )


def first(*, principal: Principal, queue: Queue, count: int) -> list[AgenteAprovacao]:
    return _built(composed.of(_columns(Reader(principal).ordered(queue))[:count]))


@lru_cache(maxsize=KEPT)
def _slice(principal: Principal, reach: Reach, queue: Queue, start: int, end: int) -> Composed:
    return composed.of(_columns(Reader(principal, reach).ordered(queue))[start:end])


def _built(asked: Composed) -> list[AgenteAprovacao]:
    """Rows as a list draws them: with `votes`, and without the long texts. `slim` is what is left
    of the action, and not what was hashed."""
    rows = []
    for *values, slim, votes in asked.rows():
        row = AgenteAprovacao.from_db(connection.alias, _COLUMNS, values)
        vars(row).update(slim=json.loads(slim), votes=votes)
        rows.append(row)
    return rows


def _columns(rows: Rows) -> QuerySet[AgenteAprovacao, Any]:
    votes = Decision.objects.filter(approval=OuterRef("pk"), verdict=Verdict.APROVAR)
    counted = votes.order_by().values("approval").annotate(n=Count("pk")).values("n")
    shorter = Func(
        F("proposta"),
        Value("description"),
        template="(%(expressions)s)",
        arg_joiner=" - ",
        output_field=JSONField(),
    )
    # An action altered behind our back may not even be an object, and takes no page with it.
    kind = Func(F("proposta"), function="jsonb_typeof", output_field=TextField())
    slim = Case(When(Exact(kind, "object"), then=shorter), default=F("proposta"))
    found = rows.annotate(
        slim=slim, votes=Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    )
    return found.values_list(*_COLUMNS, "slim", "votes")


def size(*, principal: Principal, queue: Queue) -> int:
    """How many lines all pages have, as far as BOUND."""
    return _lengths(Reader(principal), {"size": queue})[1]["size"]


def _hidden_by(reader: Reader, queue: Queue) -> dict[str, int]:
    """For each filter that is on, how many lines appear when it alone is taken away."""
    without = {name: queue.without(name) for name in queue.chosen()}
    return _lengths(reader, without)[1] if without else {}


def _choices(reader: Reader, queue: Queue) -> list[Choice]:
    """What the first rows of the tab can be narrowed by, whatever narrows them now."""
    asked = _choosing(reader.principal, reader.reach, queue.unfiltered())
    return [
        Choice(risk, alias or "", subject, name, coverage or NO_COVERAGE)
        for risk, alias, subject, name, coverage in asked.rows()
    ]


@lru_cache(maxsize=KEPT)
def _choosing(principal: Principal, reach: Reach, queue: Queue) -> Composed:
    fields = ("risco", "alvo", "solicitante", "solicitante_nome", "cobertura")
    nearest = Reader(principal, reach).ordered(queue).values_list(*fields)[:NEAREST]
    return composed.of(nearest).distinct()


def place(*, principal: Principal, queue: Queue, ref: UUID, reach: Reach | None = None) -> Place:
    """Where the proposal stands and who its neighbours are, at any depth."""
    reader = Reader(principal, reach)
    asked = _placing(principal, reader.reach, queue, queue_rows.BOUND).about(_ANY, ref)
    nothing: tuple[Any, ...] = (False, *[None] * 3, *[0] * 2)
    inside, previous, following, nearest, before, length, *more = next(iter(asked.rows()), nothing)
    waiting = more[0] if more else length
    if not inside:
        return Place(0, length, None, nearest, waiting)
    return Place(before + 1, length, previous, following, waiting)


@lru_cache(maxsize=KEPT)
def _placing(principal: Principal, reach: Reach, queue: Queue, _bound: int) -> Composed:
    """The queue of all that waits for this person is counted beside it where it is another one."""
    reader, here = Reader(principal, reach), queue_rows.outer_place(queue)
    found = reader.ordered(queue)
    ahead = queue_rows.beyond(found, queue, here, before=True)
    behind = queue_rows.beyond(found, queue, here)
    counted = [found] if _plain(queue) == Queue() else [found, reader.ordered(Queue())]
    row = AgenteAprovacao.objects.filter(ref=_ANY).values_list(
        Exists(found.filter(pk=OuterRef("pk"))),
        Subquery(ahead.reverse().values("ref")[:1]),
        Subquery(behind.values("ref")[:1]),
        Subquery(found.values("ref")[:1]),
        *(BoundedCount(rows) for rows in [ahead, *counted]),
    )
    return composed.of(row)


def news(*, principal: Principal, queue: Queue, since: Mark) -> News:
    """What came and what left since the mark. In a tab that keeps no moment of entry one that
    came and one that left cancel out; of a queue longer than BOUND nothing is said to have left."""
    field, found = _ENTERED.get(queue.tab), Reader(principal).rows(queue)
    if field is None or since.newest is None:
        grown = _numbers({"now": found})["now"] - since.size
        return News(max(0, grown), max(0, -grown))
    counted = {"came": found.filter(**{f"{field}__gt": since.newest}).order_by(field)}
    if queue.tab not in _ONLY_GROWING and since.size <= BOUND:
        before = found.filter(**{f"{field}__lte": since.newest})
        counted["stayed"] = queue_rows.in_order(before, queue)
    numbers = _numbers(counted)
    return News(numbers["came"], max(0, since.size - numbers.get("stayed", since.size)))


def _after(found: Rows, queue: Queue, ref: UUID) -> Rows:
    """Those behind a proposal, wherever it stands now; all of them when there is no such one."""
    last = AgenteAprovacao.objects.filter(ref=ref).first()
    if last is None or (queue.tab == "decididas" and last.decidida_em is None):
        return found
    return queue_rows.beyond(found, queue, queue_rows.place_of(last, queue))


def _overview(reader: Reader, queue: Queue) -> Overview:
    asked = {f"tab {tab}": queue.on(tab) for tab in _CALLING}
    asked |= {"size": queue, "whole": queue.unfiltered(), "waiting": Queue(DEFAULT)}
    now, of = _lengths(reader, asked)
    return Overview(
        now,
        Mark(now if queue.tab in _ENTERED else None, of["size"]),
        of["whole"],
        of["waiting"],
        {tab: of[f"tab {tab}"] for tab in _CALLING},
    )


def _lengths(reader: Reader, asked: Mapping[str, Queue]) -> tuple[dt.datetime, dict[str, int]]:
    """The database's time and how long each queue is, in one query that counts equal ones once."""
    queues = {name: _plain(queue) for name, queue in asked.items()}
    different = tuple(dict.fromkeys(queues.values()))
    found = _measuring(reader.principal, reader.reach, different, queue_rows.BOUND)
    ((now, *numbers),) = found.rows()
    of = dict(zip(different, numbers, strict=True))
    return now, {name: of[queue] for name, queue in queues.items()}


@lru_cache(maxsize=KEPT)
def _measuring(
    principal: Principal, reach: Reach, queues: tuple[Queue, ...], _bound: int
) -> Composed:
    reader = Reader(principal, reach)
    counted = [BoundedCount(reader.ordered(queue)) for queue in queues]
    now = Func(function="clock_timestamp", output_field=DateTimeField())
    return composed.of(Tenant.objects.values_list(now, *counted))  # the one row of the company


def _plain(queue: Queue) -> Queue:
    """In whatever order: as many rows."""
    return replace(queue, ordem="", explicit=False)


def _numbers(wanted: Mapping[str, Rows]) -> dict[str, int]:
    """How many rows each finds, in one query."""
    counted = Tenant.objects.values_list(*(BoundedCount(rows) for rows in wanted.values()))
    return dict(zip(wanted, counted.get(), strict=True))
