"""Parameters of named queries: presets, days, faults field by field, and the address they give."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import pytest
from django.utils import timezone

from audit.reports import parameters
from audit.reports.kinds import (
    CorrelationParameter,
    EntityParameter,
    Parameter,
    ParametersError,
    PeriodParameter,
    action_parameter,
)
from audit.reports.parameters import Bound
from opspilot.presentation.forms import UnknownFieldError
from tests.factories import CPF

NOW = dt.datetime(2026, 11, 30, 23, 50, tzinfo=dt.timezone(dt.timedelta(hours=-3)))
ALWAYS = PeriodParameter(default="tudo", presets=(*PeriodParameter().presets, "tudo"))


@dataclass(frozen=True)
class Question:
    parameters: tuple[Parameter, ...]
    slug: str = "pergunta"


def bound(*takes: Parameter, **raw: str) -> Bound:
    return parameters.bind(Question(takes), raw, now=NOW)


def faults(*takes: Parameter, **raw: str) -> dict[str, list[str]]:
    with pytest.raises(ParametersError) as raised:
        bound(*takes, **raw)
    return {name: list(texts) for name, texts in raised.value.faults.items()}


@pytest.mark.parametrize(
    ("preset", "first", "after_last"),
    [
        ("hoje", "2026-11-30", "2026-12-01"),
        ("ontem", "2026-11-29", "2026-11-30"),
        ("7d", "2026-11-24", "2026-12-01"),
        ("mes_passado", "2026-10-01", "2026-11-01"),
    ],
)
def test_a_preset_is_whole_days_of_the_installations_zone(
    preset: str, first: str, after_last: str
) -> None:
    """Ten to midnight in São Paulo is tomorrow in UTC; the days are São Paulo's."""
    values = bound(PeriodParameter(), periodo=preset).values
    at = [values[name].astimezone(timezone.get_default_timezone()) for name in ("since", "until")]
    assert [f"{one:%Y-%m-%d %H:%M}" for one in at] == [f"{first} 00:00", f"{after_last} 00:00"]


def test_whoever_reads_in_another_zone_gets_the_same_days() -> None:
    with timezone.override("Asia/Tokyo"):
        elsewhere = bound(PeriodParameter(), periodo="hoje").values
    assert elsewhere == bound(PeriodParameter(), periodo="hoje").values


def test_the_last_day_of_an_interval_is_whole() -> None:
    until = bound(PeriodParameter(), de="2026-11-01", ate="2026-11-30").values["until"]
    assert until == dt.datetime(2026, 12, 1, 3, tzinfo=dt.UTC)


def test_nothing_given_is_the_default_and_the_address_says_so() -> None:
    assert bound(PeriodParameter()).address == {"periodo": "7d"}
    assert bound(ALWAYS).values == {"since": None, "until": None}


def test_the_address_gives_the_same_again_and_drops_what_does_not_count() -> None:
    first = bound(PeriodParameter(), periodo="7d", de="2026-11-01", ate="")
    assert first.address == {"periodo": "7d"}
    interval = bound(PeriodParameter(), de="01/11/2026", ate="2026-11-30")
    assert interval.address == {"periodo": "intervalo", "de": "2026-11-01", "ate": "2026-11-30"}
    assert bound(PeriodParameter(), **interval.address).values == interval.values


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"periodo": "intervalo"}, "de"),
        ({"de": "2026-11-30", "ate": "2026-11-01"}, "ate"),
        ({"de": "30 de novembro"}, "de"),
        ({"de": "9999-12-31", "ate": "9999-12-31"}, "ate"),
        ({"periodo": "sempre"}, "periodo"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(raw: dict[str, str], field: str) -> None:
    assert list(faults(PeriodParameter(), **raw)) == [field]


def test_a_field_nobody_asked_for_is_refused() -> None:
    with pytest.raises(UnknownFieldError):
        bound(PeriodParameter(), usuario="todos")


def test_what_is_required_is_asked_for_in_words() -> None:
    assert faults(EntityParameter(required=True)) == {
        "entidade": ["Diga de quem ou de quê é a consulta."]
    }
    assert list(faults(CorrelationParameter(required=True), correlacao="abc")) == ["correlacao"]


@pytest.mark.parametrize("number", [CPF, "52998224725", "11222333000181"])
def test_a_document_number_is_refused_and_not_repeated(number: str) -> None:
    said = faults(EntityParameter(), entidade=number)
    assert list(said) == ["entidade"]
    assert number not in str(said)


def test_an_action_is_one_of_the_vocabulary() -> None:
    assert bound(action_parameter(), acao="issue.criada").values == {"acao": "issue.criada"}
    assert list(faults(action_parameter(), acao="drop.table")) == ["acao"]


def test_the_choice_is_told_in_words() -> None:
    told = bound(PeriodParameter(), action_parameter(), periodo="ontem", acao="issue.criada")
    assert list(told.words) == [("Período", "ontem"), ("Ação", "Issue criada")]
