"""When an approved effect may start: change windows and freezes, in the company's own zone. Pure.

Windows and freezes are written as people say them, by the clock on the wall. An hour that the clock
skips or repeats never opens more than was written: a freeze is as long as either reading makes it.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from audit.vocabulary import ACTIONS

Day = Literal["seg", "ter", "qua", "qui", "sex", "sab", "dom"]
DAYS: tuple[Day, ...] = ("seg", "ter", "qua", "qui", "sex", "sab", "dom")
MOST = 40  # windows, and freezes
OUTSIDE, FROZEN = "fora_da_janela", "congelamento"
_WEEK = 8  # days in which every weekday comes, the one it is now twice
_STEPS = 200  # closed stretches one after the other; more are called "not soon"
_MINUTE = dt.timedelta(minutes=1)
_LATEST = dt.datetime.max.replace(tzinfo=dt.UTC)
_NEVER = _LATEST - dt.timedelta(days=366)  # what would open after this does not open


def _zone(name: str) -> str:
    if name not in _zones():
        raise ValueError("not a zone of the zone database")
    return name


@functools.cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _local(text: str) -> str:
    if dt.datetime.fromisoformat(text).strftime("%Y-%m-%dT%H:%M") != text:
        raise ValueError("not a local moment to the minute")
    return text


def _registered(kind: str) -> str:
    if kind not in ACTIONS:
        raise ValueError("not a registered kind")
    return kind


Clock = Annotated[str, Field(pattern=r"^(([01]\d|2[0-3]):[0-5]\d|24:00)$")]
Local = Annotated[str, Field(max_length=16), AfterValidator(_local)]
Zone = Annotated[str, Field(max_length=64), AfterValidator(_zone)]
Kind = Annotated[str, Field(max_length=80), AfterValidator(_registered)]


class _About(BaseModel):
    """What a window or a freeze is about: no kind or no risk named = every one."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)

    tipos: Annotated[list[Kind], Field(max_length=MOST)] = []
    riscos: Annotated[list[Literal["baixo", "medio", "alto"]], Field(max_length=3)] = []

    def is_about(self, kind: str, risk: str) -> bool:
        return (not self.tipos or kind in self.tipos) and (not self.riscos or risk in self.riscos)


class ChangeWindow(_About):
    """Open on these weekdays from one time to another, the end left out. `ate` may be 24:00; a
    window over midnight is two."""

    dias: Annotated[list[Day], Field(min_length=1, max_length=7)]
    das: Clock
    ate: Clock

    @model_validator(mode="after")
    def _has_a_length(self) -> ChangeWindow:
        if self.das >= self.ate:
            raise ValueError("a window ends after it begins, on the same day")
        return self


class Freeze(_About):
    """Nothing starts from one local moment until another, the end left out."""

    inicio: Local
    fim: Local
    # No line break and no semicolon: the editor writes one freeze a line, in parts.
    motivo: Annotated[str, Field(max_length=200, pattern=r"^[^;\r\n]+$")]

    @model_validator(mode="after")
    def _has_a_length(self) -> Freeze:
        if self.inicio >= self.fim:
            raise ValueError("a freeze ends after it begins")
        return self


class Calendar(BaseModel):
    """The windows and freezes of a policy, all in one zone."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)

    fuso: Zone
    janelas: Annotated[list[ChangeWindow], Field(max_length=MOST)] = []
    congelamentos: Annotated[list[Freeze], Field(max_length=MOST)] = []

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.fuso)


@dataclass(frozen=True, slots=True)
class Closure:
    """Why nothing may start now, and from when on it may; None = not soon enough to say."""

    code: str
    opens_at: dt.datetime | None
    reason: str = ""


def closed(calendar: Calendar | None, *, kind: str, risk: str, at: dt.datetime) -> Closure | None:
    """None while an effect of this kind and risk may start. A kind that no window is about may
    start at any time outside its freezes."""
    if calendar is None:
        return None
    hours = _hours_of(calendar, kind, risk)
    freeze = hours.freeze_at(at)
    if freeze is not None:
        return Closure(FROZEN, hours.opening(at), freeze.motivo)
    return None if hours.is_open(at) else Closure(OUTSIDE, hours.opening(at))


def longest_closed(
    calendar: Calendar, *, kind: str, risk: str, at: dt.datetime
) -> tuple[dt.datetime, dt.datetime | None] | None:
    """From when until when it is closed for longest, of what begins now, in the coming week or with
    a freeze; until None = for good, or for longer than can be said. None where it never closes."""
    hours = _hours_of(calendar, kind, risk)
    begins = sorted(moment for moment in {at, *hours.closings(at)} if moment >= at)
    found = [
        (moment, hours.opening(moment))
        for moment in begins
        if hours.freeze_at(moment) or not hours.is_open(moment)
    ]
    return max(found, key=lambda span: (span[1] or _LATEST) - span[0], default=None)


def _hours_of(calendar: Calendar, kind: str, risk: str) -> _Hours:
    return _Hours(
        calendar.zone,
        [window for window in calendar.janelas if window.is_about(kind, risk)],
        [freeze for freeze in calendar.congelamentos if freeze.is_about(kind, risk)],
    )


@dataclass(frozen=True, slots=True)
class _Hours:
    zone: ZoneInfo
    windows: list[ChangeWindow]
    freezes: list[Freeze]

    def freeze_at(self, at: dt.datetime) -> Freeze | None:
        """Of several, the one that ends last."""
        found = [row for row in self.freezes if self._begin(row) <= at < self._end(row)]
        return max(found, key=self._end, default=None)

    def is_open(self, at: dt.datetime) -> bool:
        if not self.windows:
            return True
        local = at.astimezone(self.zone)
        day, now = DAYS[local.weekday()], local.strftime("%H:%M")
        return any(day in row.dias and row.das <= now < row.ate for row in self.windows)

    def opening(self, at: dt.datetime) -> dt.datetime | None:
        """The first moment from `at` on in which nothing is closed."""
        for _step in range(_STEPS):
            freeze = self.freeze_at(at)
            if freeze is None and self.is_open(at):
                return at
            following = self._end(freeze) if freeze else self._next_window(at)
            if following is None or following > _NEVER:
                return None
            at = following
        return None

    def _next_window(self, at: dt.datetime) -> dt.datetime | None:
        today = at.astimezone(self.zone).date()
        days = [today + dt.timedelta(days=number) for number in range(_WEEK)]
        found = [
            moment
            for day in days
            for row in self.windows
            if DAYS[day.weekday()] in row.dias
            for moment in self._shown(dt.datetime.combine(day, dt.time.fromisoformat(row.das)))
        ]
        return min((moment for moment in found if moment > at), default=None)

    def closings(self, at: dt.datetime) -> Iterator[dt.datetime]:
        """When windows of the coming week end, and when freezes begin."""
        today = at.astimezone(self.zone).date()
        for row in self.windows:
            for day in (today + dt.timedelta(days=number) for number in range(_WEEK)):
                if DAYS[day.weekday()] in row.dias:
                    yield from self._shown(_wall(day, row.ate))
        yield from map(self._begin, self.freezes)

    def _begin(self, freeze: Freeze) -> dt.datetime:
        return min(self._readings(dt.datetime.fromisoformat(freeze.inicio)))

    def _end(self, freeze: Freeze) -> dt.datetime:
        return max(self._readings(dt.datetime.fromisoformat(freeze.fim)))

    def _shown(self, wall: dt.datetime) -> Iterator[dt.datetime]:
        """When the clock on the wall first shows this time: twice where it goes back; where it
        jumps over it, the minute in which it shows a later one."""
        earlier, later = self._readings(wall)
        if earlier <= later:
            yield from {earlier, later}
            return
        moment = later
        while moment.astimezone(self.zone).replace(tzinfo=None) < wall:
            moment += _MINUTE
        yield moment

    def _readings(self, wall: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
        """By the offset before a change of the clock, and by the one after it; else the same."""
        first, second = (wall.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1))
        try:
            return first.astimezone(dt.UTC), second.astimezone(dt.UTC)
        except OverflowError:  # the last evening of the last year, west of Greenwich
            return _LATEST, _LATEST


def _wall(day: dt.date, clock: str) -> dt.datetime:
    """A time of this day as it is written; 24:00 is the next day's first."""
    if clock == "24:00":
        return dt.datetime.combine(day + dt.timedelta(days=1), dt.time())
    return dt.datetime.combine(day, dt.time.fromisoformat(clock))
