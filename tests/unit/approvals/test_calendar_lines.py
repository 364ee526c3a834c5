"""Windows and freezes as an admin writes them, and back."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from approvals.stops import calendar_lines, calendar_words
from approvals.stops.calendar import Calendar, ChangeWindow, Freeze

WEEK = ["seg", "ter", "qua", "qui", "sex"]


def test_a_line_gives_days_hours_kinds_and_risks() -> None:
    found = calendar_lines.windows("seg-sex; 08:00-18:00\nSáb; 09:00-12:00")
    assert found == [
        {"dias": WEEK, "das": "08:00", "ate": "18:00"},
        {"dias": ["sab"], "das": "09:00", "ate": "12:00"},
    ]
    (narrow,) = calendar_lines.windows("ter,qui; 22:00-24:00; tarefa.executada; médio, alto")
    assert (narrow["tipos"], narrow["riscos"]) == (["tarefa.executada"], ["medio", "alto"])


def test_a_freeze_is_written_as_people_write_dates() -> None:
    (found,) = calendar_lines.freezes("20/12/2026 18:00; 04/01/2027 08:00; Fim de ano; ; alto")
    assert found == {
        "inicio": "2026-12-20T18:00",
        "fim": "2027-01-04T08:00",
        "motivo": "Fim de ano",
        "riscos": ["alto"],
    }


@pytest.mark.parametrize(
    "line",
    [
        "seg-sex",
        "seg-sex 08:00-18:00",
        "seg-sex; 18:00-08:00",
        "seg-fer; 08:00-18:00",
        "seg; 08:00-18:00; issue.inventada",
        "seg; 08:00-18:00; ; altíssimo",
        "seg; 08:00-18:00; ; alto; mais",
    ],
)
def test_a_window_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(ValidationError) as refused:
        calendar_lines.windows(f"seg-sex; 08:00-18:00\n{line}")
    assert line[:20] in str(refused.value.messages)


@pytest.mark.parametrize(
    "line",
    [
        "20/12/2026; 04/01/2027; Fim de ano",
        "31/02/2026 08:00; 04/03/2026 08:00; Fevereiro",
        "04/01/2027 08:00; 20/12/2026 18:00; Ao contrário",
        "20/12/2026 18:00; 04/01/2027 08:00;",
    ],
)
def test_a_freeze_that_cannot_be_read_is_refused(line: str) -> None:
    with pytest.raises(ValidationError):
        calendar_lines.freezes(line)


@pytest.mark.parametrize(
    "line",
    [
        "01/01/2026 00:00; 31/12/9999 23:59; Até segunda ordem",
        "01/01/1999 00:00; 01/01/2027 00:00; X",
    ],
)
def test_a_freeze_in_a_year_nobody_means_is_refused_and_told_which_are_taken(line: str) -> None:
    with pytest.raises(ValidationError) as refused:
        calendar_lines.freezes(line)
    assert "entre 2000 e 2200" in str(refused.value.messages)


def test_what_was_read_is_written_back_the_same() -> None:
    text = (
        "seg,ter; 08:00-18:00\nqua; 22:00-24:00; tarefa.executada; alto\nqui; 08:00-09:00; ; alto"
    )
    rows = [ChangeWindow.model_validate(row) for row in calendar_lines.windows(text)]
    assert calendar_lines.written_windows(rows) == text
    text = "20/12/2026 18:00; 04/01/2027 08:00; Fim de ano; issue.criada"
    freezes = [Freeze.model_validate(row) for row in calendar_lines.freezes(text)]
    assert calendar_lines.written_freezes(freezes) == text


def a_calendar(windows: str = "", freezes: str = "", zone: str = "America/Sao_Paulo") -> Calendar:
    return Calendar.model_validate(
        {
            "fuso": zone,
            "janelas": calendar_lines.windows(windows),
            "congelamentos": calendar_lines.freezes(freezes),
        }
    )


def test_the_first_window_narrows_and_taking_one_away_may_loosen() -> None:
    office = a_calendar("seg-sex; 08:00-18:00")
    wider = a_calendar("seg-sex; 08:00-18:00\nsab; 08:00-12:00")
    assert [c.loosens for c in calendar_words.changes(None, office)] == [False]
    assert [c.loosens for c in calendar_words.changes(office, wider)] == [True]
    assert [c.loosens for c in calendar_words.changes(wider, office)] == [True]
    assert list(calendar_words.changes(office, office)) == []


def test_a_new_freeze_narrows_and_lifting_it_loosens() -> None:
    plain, frozen = a_calendar(), a_calendar(freezes="20/12/2026 18:00; 04/01/2027 08:00; Natal")
    (added,) = calendar_words.changes(plain, frozen)
    assert (added.loosens, added.after) == (False, "de 20/12/2026 18:00 a 04/01/2027 08:00: Natal")
    assert [c.loosens for c in calendar_words.changes(frozen, plain)] == [True]


def test_another_zone_is_a_change_of_every_hour() -> None:
    (found,) = calendar_words.changes(a_calendar(), a_calendar(zone="America/Manaus"))
    assert (found.before, found.after, found.loosens) == (
        "America/Sao_Paulo",
        "America/Manaus",
        True,
    )
