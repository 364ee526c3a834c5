"""When a notice leaves: at once, after a pause, or with the others of the hour."""

from __future__ import annotations

import datetime as dt

import pytest

from opspilot.notices.models import Kind, Urgency
from opspilot.notices.timing import digest_at, plan, warn_at

NOON = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)


def minutes(count: float) -> dt.timedelta:
    return dt.timedelta(minutes=count)


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        (240, 180),  # three quarters come before the last quarter of an hour
        (7 * 24 * 60, 7 * 24 * 45),
        (60, 45),  # both at once
        (40, 25),  # a quarter of an hour before the end comes first
        (30, 15),
        (10, 5),  # never before half of the time
        (1, 0.5),
    ],
)
def test_the_warning_comes_in_time_and_never_in_the_first_half(
    whole: float, expected: float
) -> None:
    assert warn_at(created=NOON, expires=NOON + minutes(whole)) == NOON + minutes(expected)


def test_what_is_of_low_risk_waits_for_the_full_hour() -> None:
    assert digest_at(now=NOON + minutes(7), deadline=NOON + minutes(240)) == NOON + minutes(60)


def test_at_the_full_hour_the_next_one_is_meant() -> None:
    assert digest_at(now=NOON, deadline=NOON + minutes(240)) == NOON + minutes(60)


@pytest.mark.parametrize(
    ("left", "expected"),
    [(65, 60), (64, 15), (20, 15), (19, 5), (10, 5), (9, 0)],
)
def test_a_digest_that_would_come_too_late_comes_sooner(left: int, expected: int) -> None:
    assert digest_at(now=NOON, deadline=NOON + minutes(left)) == NOON + minutes(expected)


@pytest.mark.parametrize(
    ("kind", "risk", "urgency", "after"),
    [
        (Kind.PENDENTE, "alto", Urgency.AGORA, 0),
        (Kind.PENDENTE, "medio", Urgency.AGORA, 5),
        (Kind.PENDENTE, "baixo", Urgency.RESUMO, 60),
        (Kind.ALERTA, "alto", Urgency.AGORA, 0),
        (Kind.ALERTA, "medio", Urgency.AGORA, 0),
        (Kind.ALERTA, "baixo", Urgency.RESUMO, 60),
        (Kind.ESCALADA, "baixo", Urgency.RESUMO, 60),
        (Kind.ESCALADA, "alto", Urgency.AGORA, 0),
        (Kind.DECISAO, "baixo", Urgency.AGORA, 0),
        (Kind.RESULTADO, "baixo", Urgency.AGORA, 0),
    ],
)
def test_each_kind_leaves_when_its_risk_says(
    kind: Kind, risk: str, urgency: Urgency, after: int
) -> None:
    found = plan(kind=kind, risk=risk, now=NOON, deadline=NOON + minutes(240))
    assert found == (urgency, NOON + minutes(after))


def test_the_pause_is_left_out_where_the_deadline_is_near() -> None:
    found = plan(kind=Kind.PENDENTE, risk="medio", now=NOON, deadline=NOON + minutes(10))
    assert found == (Urgency.AGORA, NOON)
