"""What a card says of the traffic with a remote."""

from __future__ import annotations

import datetime as dt

import pytest
from pytest_django import Settings

from opspilot.conectores import page, traffic
from opspilot.presentation.shapes import Fact
from opspilot.resilience.models import Breaker, BreakerState

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def half_a_minute(settings: Settings) -> None:
    settings.OPSPILOT_BREAKER_SECONDS = 30.0


def opened(seconds_ago: int) -> Fact:
    at = NOW - dt.timedelta(seconds=seconds_ago)
    return traffic.breaker(Breaker(connector="gitlab", state=BreakerState.OPEN, opened_at=at), NOW)


def test_a_remote_without_a_fault_has_a_closed_breaker() -> None:
    assert traffic.breaker(None, NOW).value == "fechado"


def test_an_open_breaker_says_until_when() -> None:
    fact = opened(10)
    assert (fact.value, fact.at) == ("aberto", NOW + dt.timedelta(seconds=20))


def test_a_breaker_whose_wait_is_over_waits_for_one_call() -> None:
    assert opened(31).value == "espera por uma chamada de teste"


def test_what_is_wrong_stands_first() -> None:
    found = [
        {"check": "alcance", "state": "ok", "facts": {}},
        {"check": "relogio", "state": "atencao", "facts": {"motivo": "sem_hora"}},
        {"check": "token_ativo", "state": "falha", "facts": {}},
    ]
    assert [line.word for line in page._lines(found)] == ["falha", "atenção", "tudo certo"]
