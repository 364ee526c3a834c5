"""The address of a queue: what it says, and what it never carries."""

from __future__ import annotations

import datetime as dt

import pytest

from approvals.inbox import listing, queue_url
from approvals.inbox.queue import Mark, News
from approvals.inbox.queue_url import Queue

FILTERED = Queue("todas", risco="alto", alvo="infra", por="usuario-7", cobertura="nenhuma")


def test_the_plain_queue_has_a_plain_address() -> None:
    assert Queue().href("/aprovacoes/") == "/aprovacoes/"


def test_an_address_says_the_queue_it_came_from() -> None:
    query = FILTERED.href("").removeprefix("?")
    assert queue_url.parse(dict(part.split("=") for part in query.split("&"))) == FILTERED


def test_another_tab_keeps_the_filters() -> None:
    assert FILTERED.on("minhas").chosen() == FILTERED.chosen()


def test_a_filter_is_taken_away_alone() -> None:
    assert FILTERED.without("alvo").chosen() == {
        "risco": "alto",
        "por": "usuario-7",
        "cobertura": "nenhuma",
    }


def test_a_person_stands_in_the_address_by_an_internal_number() -> None:
    assert FILTERED.subject == "usuario:7"
    assert queue_url.subject_in_url("usuario:7") == "usuario-7"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("risco", "altíssimo"),
        ("cobertura", "total"),
        ("por", "aprovador 1"),
        ("por", "alguem@exemplo.com"),
        ("por", "usuario-52998224725"),
        ("alvo", "529.982.247-25"),
        ("alvo", "11222333000181"),
        ("alvo", "a" * 121),
        ("alvo", "in\x00fra"),
        ("q", "529.982.247-25"),
    ],
)
def test_a_value_that_cannot_be_a_filter_is_as_if_absent(name: str, value: str) -> None:
    assert queue_url.parse({name: value}) == Queue()


def test_a_mark_survives_the_address_to_the_microsecond() -> None:
    mark = Mark(dt.datetime(2026, 11, 30, 17, 14, 8, 123457, tzinfo=dt.UTC), 12)
    assert listing.parse_mark(listing.mark_in_url(mark)) == mark


def test_the_mark_of_an_empty_queue_survives_the_address() -> None:
    assert listing.parse_mark(listing.mark_in_url(Mark(None, 0))) == Mark(None, 0)


@pytest.mark.parametrize("text", ["", "1", "-1", "1-", "a-b", "9" * 18 + "-1", "1-2-3", "1-1\n"])
def test_a_strange_mark_is_none(text: str) -> None:
    assert listing.parse_mark(text) is None


@pytest.mark.parametrize(
    ("news", "words"),
    [
        (News(0, 0), ""),
        (News(1, 0), "1 nova: mostrar"),
        (News(3, 0), "3 novas: mostrar"),
        (News(0, 1), "1 já saiu: mostrar"),
        (News(200, 2), "200 novas, 2 já saíram: mostrar"),
    ],
)
def test_the_bar_counts_what_came_and_what_left(news: News, words: str) -> None:
    assert listing.news_words(news) == words
