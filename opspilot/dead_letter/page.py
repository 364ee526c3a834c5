"""What was given up, lane by lane, as the template draws it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import get_language

from opspilot.dead_letter import lanes, redriving
from opspilot.dead_letter.shapes import Lane, Line
from opspilot.presentation.formats import bounded_text
from opspilot.tenancy.principal import Principal

SHOWN = 50  # of a lane, the newest


@dataclass(frozen=True, slots=True)
class Offered:
    """A line and the name by which it is marked; empty where it is not tried again from here."""

    line: Line
    name: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Section:
    slug: str
    title: str
    rule: str
    count: str
    lines: list[Offered]
    is_cut: bool


def sections(admin: Principal, *, marked: Collection[str] = ()) -> list[Section]:
    """Of lanes in which something is stopped."""
    counts = lanes.counts()
    return [
        _section(lane, counts[lane.slug], admin, marked) for lane in lanes.ALL if counts[lane.slug]
    ]


def _section(lane: Lane, count: int, admin: Principal, marked: Collection[str]) -> Section:
    lines = lane.lines(list(lane.rows()[:SHOWN]), admin)
    return Section(
        slug=lane.slug,
        title=str(lane.title),
        rule=str(lane.rule),
        count=bounded_text(count, bound=lanes.BOUND, language=get_language() or "pt-br"),
        lines=[_offered(lane, line, marked) for line in lines],
        is_cut=count > SHOWN,
    )


def _offered(lane: Lane, line: Line, marked: Collection[str]) -> Offered:
    able = lane.again is not None and line.can_again
    name = redriving.name(lane, line.key) if able else ""
    return Offered(line, name, name in marked)
