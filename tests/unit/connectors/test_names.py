"""Names are resolved within a time, whatever the resolver does."""

from __future__ import annotations

import socket
import time

import pytest

from opspilot.connectors import names
from opspilot.connectors.errors import NotSentError
from tests.unit.connectors.naming import hanging_names, resolving


def within(seconds: float) -> float:
    return time.monotonic() + seconds


def test_each_address_comes_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["10.0.0.2", "10.0.0.1", "10.0.0.2"])
    assert names.addresses("x.example", 80, deadline=within(5)) == ["10.0.0.2", "10.0.0.1"]


def test_a_name_without_an_address_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, socket.gaierror(-2, "unknown"), [], UnicodeError("label too long"))
    for _ in range(3):
        with pytest.raises(NotSentError):
            names.addresses("x.example", 80, deadline=within(5))


def test_a_resolver_that_hangs_costs_no_more_than_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    started = time.monotonic()
    with hanging_names(monkeypatch), pytest.raises(NotSentError, match="in time"):
        names.addresses("x.example", 80, deadline=within(0.2))
    assert time.monotonic() - started < 1.5


def test_of_many_that_hang_so_many_are_left_behind_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with hanging_names(monkeypatch) as asked:
        for _ in range(names.MAX_ASKING + 4):
            with pytest.raises(NotSentError, match="in time"):
                names.addresses("x.example", 80, deadline=within(0.02))
    assert len(asked) == names.MAX_ASKING


def test_once_the_hanging_ones_are_gone_names_are_resolved_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with hanging_names(monkeypatch):
        for _ in range(names.MAX_ASKING):
            with pytest.raises(NotSentError):
                names.addresses("x.example", 80, deadline=within(0.02))
    resolving(monkeypatch, ["8.8.8.8"])
    assert names.addresses("x.example", 80, deadline=within(5)) == ["8.8.8.8"]


def test_a_time_that_is_already_over_is_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with hanging_names(monkeypatch), pytest.raises(NotSentError):
        names.addresses("x.example", 80, deadline=within(-1))
