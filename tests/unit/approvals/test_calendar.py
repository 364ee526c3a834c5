"""When an effect may start, by the clock on the wall; also on days on which that clock changes."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from approvals.stops.calendar import FROZEN, OUTSIDE, Calendar, closed

OFFICE = {"dias": ["seg", "ter", "qua", "qui", "sex"], "das": "08:00", "ate": "18:00"}
YEAR_END = {"inicio": "2026-12-20T18:00", "fim": "2027-01-04T08:00", "motivo": "Fim de ano"}
BERLIN, SAO_PAULO = "Europe/Berlin", "America/Sao_Paulo"


def a_calendar(*windows: Any, freezes: tuple[Any, ...] = (), zone: str = SAO_PAULO) -> Calendar:
    return Calendar.model_validate(
        {"fuso": zone, "janelas": list(windows), "congelamentos": list(freezes)}
    )


def at(text: str, zone: str = SAO_PAULO) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


def code(calendar: Calendar | None, moment: dt.datetime, **about: str) -> str:
    asked = {"kind": "issue.criada", "risk": "baixo"} | about
    found = closed(calendar, at=moment, **asked)
    return found.code if found else ""


def opening(calendar: Calendar, moment: dt.datetime) -> dt.datetime | None:
    found = closed(calendar, kind="issue.criada", risk="baixo", at=moment)
    assert found is not None
    return found.opens_at


def test_without_a_calendar_an_effect_starts_at_any_time() -> None:
    assert code(None, at("2026-12-06T03:00")) == ""
    assert code(a_calendar(), at("2026-12-06T03:00")) == ""


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-12-07T07:59:59", OUTSIDE),
        ("2026-12-07T08:00", ""),
        ("2026-12-07T17:59:59", ""),
        ("2026-12-07T18:00", OUTSIDE),
        ("2026-12-06T12:00", OUTSIDE),
    ],
)
def test_a_window_is_open_from_its_first_minute_to_before_its_last(
    moment: str, expected: str
) -> None:
    assert code(a_calendar(OFFICE), at(moment)) == expected


def test_the_next_opening_of_a_friday_evening_is_monday_morning() -> None:
    assert opening(a_calendar(OFFICE), at("2026-12-04T18:30")) == at("2026-12-07T08:00")


def test_a_window_until_midnight_has_its_last_minute() -> None:
    night = OFFICE | {"das": "22:00", "ate": "24:00"}
    assert code(a_calendar(night), at("2026-12-07T23:59:59")) == ""
    assert code(a_calendar(night), at("2026-12-08T00:00")) == OUTSIDE


def test_a_window_says_nothing_of_the_kinds_and_risks_it_is_not_about() -> None:
    calendar = a_calendar(OFFICE | {"tipos": ["tarefa.executada"], "riscos": ["alto"]})
    sunday = at("2026-12-06T12:00")
    assert code(calendar, sunday, kind="tarefa.executada", risk="alto") == OUTSIDE
    assert code(calendar, sunday, kind="tarefa.executada", risk="baixo") == ""
    assert code(calendar, sunday, kind="issue.criada", risk="alto") == ""


def test_a_freeze_closes_an_open_window_and_says_why() -> None:
    calendar = a_calendar(OFFICE, freezes=(YEAR_END,))
    found = closed(calendar, kind="issue.criada", risk="baixo", at=at("2026-12-22T10:00"))
    assert found is not None
    assert (found.code, found.reason) == (FROZEN, "Fim de ano")
    assert found.opens_at == at("2027-01-04T08:00")


def test_a_freeze_that_ends_on_a_closed_day_opens_with_the_next_window() -> None:
    calendar = a_calendar(OFFICE, freezes=(YEAR_END | {"fim": "2027-01-02T10:00"},))
    assert opening(calendar, at("2026-12-22T10:00")) == at("2027-01-04T08:00")


def test_freezes_one_after_the_other_open_at_the_end_of_the_last() -> None:
    second = {"inicio": "2027-01-04T08:00", "fim": "2027-01-05T00:00", "motivo": "Migração"}
    calendar = a_calendar(freezes=(YEAR_END, second))
    assert opening(calendar, at("2026-12-22T10:00")) == at("2027-01-05T00:00")


def test_a_window_keeps_its_hour_on_the_wall_when_the_clock_changes() -> None:
    calendar = a_calendar(OFFICE, zone=BERLIN)  # the clock jumps on Sunday, 29 March 2026
    before = opening(calendar, at("2026-03-26T19:00", BERLIN))
    after = opening(calendar, at("2026-03-27T19:00", BERLIN))
    assert before == dt.datetime(2026, 3, 27, 7, tzinfo=dt.UTC)
    assert after == dt.datetime(2026, 3, 30, 6, tzinfo=dt.UTC)


def test_a_window_that_begins_in_the_hour_the_clock_skips_opens_when_it_shows_a_later_one() -> None:
    calendar = a_calendar({"dias": ["dom"], "das": "02:30", "ate": "05:00"}, zone=BERLIN)
    found = opening(calendar, at("2026-03-28T12:00", BERLIN))
    assert found == dt.datetime(2026, 3, 29, 1, tzinfo=dt.UTC)  # 03:00 on the wall
    assert code(calendar, found) == ""
    assert code(calendar, found - dt.timedelta(seconds=1)) == OUTSIDE


def test_a_freeze_over_a_repeated_hour_lasts_until_the_later_reading_of_its_end() -> None:
    freeze = {"inicio": "2026-10-24T18:00", "fim": "2026-10-25T02:30", "motivo": "Virada"}
    calendar = a_calendar(freezes=(freeze,), zone=BERLIN)  # 02:30 comes twice that night
    first, second = (
        dt.datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo(BERLIN), fold=fold) for fold in (0, 1)
    )
    assert code(calendar, first) == FROZEN
    assert opening(calendar, first) == second.astimezone(dt.UTC)
    assert code(calendar, second) == ""


def test_a_freeze_that_begins_in_a_repeated_hour_begins_at_the_earlier_reading() -> None:
    freeze = {"inicio": "2026-10-25T02:30", "fim": "2026-10-26T08:00", "motivo": "Virada"}
    calendar = a_calendar(freezes=(freeze,), zone=BERLIN)
    first = dt.datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo(BERLIN), fold=0)
    assert code(calendar, first) == FROZEN
    assert code(calendar, first - dt.timedelta(seconds=1)) == ""


def test_what_is_closed_without_end_says_so_instead_of_searching_on() -> None:
    never = {"dias": ["dom"], "das": "02:10", "ate": "02:50"}
    long = {"inicio": "2026-01-01T00:00", "fim": "2035-01-01T00:00", "motivo": "Encerrado"}
    found = opening(a_calendar(never, freezes=(long,), zone=BERLIN), at("2026-03-28T12:00"))
    assert found is not None
    assert found.year == 2035


@pytest.mark.parametrize(
    "broken",
    [
        {"fuso": "Europe/Atlantis"},
        {"janelas": [OFFICE | {"ate": "08:00"}]},
        {"janelas": [OFFICE | {"das": "8:00"}]},
        {"janelas": [OFFICE | {"ate": "24:01"}]},
        {"janelas": [OFFICE | {"dias": []}]},
        {"janelas": [OFFICE | {"dias": ["monday"]}]},
        {"janelas": [OFFICE | {"tipos": ["issue.inventada"]}]},
        {"congelamentos": [YEAR_END | {"fim": "2026-12-20T18:00"}]},
        {"congelamentos": [YEAR_END | {"fim": "2027-02-30T08:00"}]},
        {"congelamentos": [YEAR_END | {"fim": "2027-01-04T08:00+00:00"}]},
        {"congelamentos": [YEAR_END | {"motivo": "duas\nlinhas"}]},
        {"feriados": []},
    ],
)
def test_a_calendar_that_could_mean_something_else_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Calendar.model_validate({"fuso": SAO_PAULO} | broken)


@pytest.mark.parametrize("zone", [SAO_PAULO, "Pacific/Kiritimati", "UTC"])
@pytest.mark.parametrize("windows", [(), (OFFICE,)])
def test_a_freeze_to_the_end_of_the_calendar_is_in_force_and_never_opens(
    zone: str, windows: tuple[Any, ...]
) -> None:
    """The editor took one once; what is in force is read."""
    freeze = {"inicio": "2026-01-01T00:00", "fim": "9999-12-31T23:59", "motivo": "Sem prazo"}
    calendar = a_calendar(*windows, freezes=(freeze,), zone=zone)
    found = closed(calendar, kind="issue.criada", risk="baixo", at=at("2026-12-07T10:00", zone))
    assert found is not None
    assert (found.code, found.opens_at) == (FROZEN, None)
