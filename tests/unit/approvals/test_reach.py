"""A policy whose windows come too late for what is asked for says so before it is in force."""

from __future__ import annotations

import copy
import datetime as dt
from typing import Any

import pytest

from approvals.policy.policy_document import PolicyDocument
from approvals.stops import reach
from tests.factories import POLICY

MONDAY = dt.datetime(2026, 11, 30, 15, tzinfo=dt.UTC)  # 12:00 in São Paulo
WEEKDAYS = ["seg", "ter", "qua", "qui", "sex"]


def found(**calendar: Any) -> list[str]:
    """Issues have four hours to be decided and two to be carried out."""
    document = copy.deepcopy(POLICY) | {"calendario": {"fuso": "America/Sao_Paulo"} | calendar}
    return reach.unreachable(PolicyDocument.model_validate(document), at=MONDAY)


def window(*days: str, das: str = "00:00", ate: str = "24:00", **more: Any) -> dict[str, Any]:
    return {"dias": list(days), "das": das, "ate": ate} | more


def test_without_windows_everything_starts_in_time() -> None:
    assert found() == []
    assert reach.unreachable(PolicyDocument.model_validate(POLICY), at=MONDAY) == []


def test_a_gap_that_is_longer_than_the_time_of_a_proposal_is_named_with_both_ends() -> None:
    (words,) = found(janelas=[window(*WEEKDAYS, das="08:00", ate="18:00")])
    assert "baixo, médio, alto" in words
    assert "fechado de sex 04/12 18:00 (America/Sao_Paulo) até seg 07/12 08:00" in words
    assert "6 h 0 min" in words


@pytest.mark.parametrize("opens", ["00:00", "06:00"])
def test_a_gap_inside_the_time_of_a_proposal_is_none(opens: str) -> None:
    assert found(janelas=[window(*WEEKDAYS, "sab", "dom", das=opens)]) == []


def test_only_the_risks_it_is_about_are_named() -> None:
    (words,) = found(janelas=[window("sab", riscos=["alto"])])
    assert words.startswith("Issue criada, risco alto:")


def test_a_freeze_counts_as_closed_from_its_beginning() -> None:
    freeze = {"inicio": "2026-12-20T00:00", "fim": "2027-01-04T00:00", "motivo": "fim de ano"}
    (words,) = found(congelamentos=[freeze])
    assert "fechado de dom 20/12 00:00" in words


def test_what_never_opens_is_said_so() -> None:
    freeze = {"inicio": "2026-01-01T00:00", "fim": "9999-12-31T23:59", "motivo": "para sempre"}
    (words,) = found(congelamentos=[freeze])
    assert "nenhuma janela se abre" in words
