"""What Django writes by itself, in a form or a filter, is what our own pages write."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from django import forms
from django.utils import formats as django_formats
from django.utils import translation

from opspilot.presentation import formats

MOMENT = dt.datetime(2026, 11, 3, 11, 5, 0, tzinfo=dt.UTC)
LANGUAGES = ["pt-br", "en"]


def written(value: dt.date, name: str, language: str) -> str:
    with translation.override(language):
        return django_formats.date_format(value, name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["DATE_FORMAT", "SHORT_DATE_FORMAT"])
def test_a_date_is_written_alike(language: str, name: str) -> None:
    assert written(MOMENT.date(), name, language) == formats.date_text(MOMENT, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"])
def test_a_moment_is_written_alike_with_its_seconds(language: str, name: str) -> None:
    assert written(MOMENT, name, language) == formats.moment_text(MOMENT, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_time_is_written_alike(language: str) -> None:
    with translation.override(language):
        shown = django_formats.time_format(MOMENT.time(), "TIME_FORMAT")
    assert shown == formats.clock_text(MOMENT)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("value", [Decimal("1234567.25"), Decimal("0.5"), 42, 18412])
def test_a_number_is_written_alike(language: str, value: Decimal | int) -> None:
    with translation.override(language):
        shown = django_formats.number_format(value, use_l10n=True, force_grouping=True)
    assert shown == formats.number_text(value, language=language)


@pytest.mark.parametrize("month", range(1, 13))
@pytest.mark.parametrize("name", ["DATE_FORMAT", "YEAR_MONTH_FORMAT", "MONTH_DAY_FORMAT"])
def test_no_portuguese_date_has_a_capitalised_month(month: int, name: str) -> None:
    shown = written(dt.date(2026, month, 3), name, "pt-br")
    assert not any(letter.isalpha() for letter in shown)


@pytest.mark.parametrize(
    ("language", "typed"),
    [("pt-br", "03/11/2026"), ("pt-br", "2026-11-03"), ("en", "2026-11-03"), ("en", "3 Nov 2026")],
)
def test_a_date_is_read_as_people_of_the_language_type_it(language: str, typed: str) -> None:
    with translation.override(language):
        assert forms.DateField(localize=True).clean(typed) == dt.date(2026, 11, 3)


def test_a_date_that_reads_two_ways_is_refused_in_english() -> None:
    with translation.override("en"), pytest.raises(forms.ValidationError):
        forms.DateField().clean("03/11/2026")


def test_a_number_typed_with_a_comma_is_read_in_portuguese() -> None:
    with translation.override("pt-br"):
        assert forms.DecimalField(localize=True).clean("1234,56") == Decimal("1234.56")


def test_a_form_shows_a_date_again_as_it_is_written() -> None:
    with translation.override("pt-br"):
        assert forms.DateInput().format_value(dt.date(2026, 11, 3)) == "03/11/2026"
