"""Every word of a page comes from the catalogue, in its language and its formats, at any length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.network import free_port
from opspilot.smoke.database import Database
from tests.web import pseudo
from tests.web.crawl import Visit, kind, measure
from tests.web.people import Person
from tests.web.words import (
    bare,
    counted_nouns,
    data_of,
    loose,
    misformed,
    portuguese_words,
    texts,
    words,
)

pytestmark = pytest.mark.browser

WIDTHS = (320, 390, 1280)


@pytest.fixture(scope="module")
def elsewhere(console: Instance, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """A second web server on the same database, whose words are the pseudo-locale's."""
    folder = tmp_path_factory.mktemp("locale")
    pseudo.write_catalogue(folder)
    port = free_port()
    given = {"DJANGO_SETTINGS_MODULE": "tests.web.pseudo_settings", "PSEUDO_LOCALE": str(folder)}
    other = replace(console, port=port, settings={**console.settings, **given}, children={})
    other.start_child("web")
    yield other
    other.stop_children()


@pytest.fixture(scope="module")
def data(console: Instance, visits: list[Visit]) -> str:
    return data_of(Database(console.env["DATABASE_URL"]), tenant="aurora")


@pytest.fixture
def pseudo_people(
    elsewhere: Instance, chromium: Browser, everybody: dict[str, Person]
) -> Iterator[dict[str, Person]]:
    """Everybody with the session they have, at the other server."""
    people = {n: Person(chromium, elsewhere, like=person) for n, person in everybody.items()}
    yield people
    for person in people.values():
        person.leave()


@pytest.fixture
def english_people(
    console: Instance, chromium: Browser, everybody: dict[str, Person]
) -> Iterator[dict[str, Person]]:
    people = {n: Person(chromium, console, like=person) for n, person in everybody.items()}
    for person in people.values():
        person.context.add_cookies([{"name": "django_language", "value": "en", "url": console.url}])
    yield people
    for person in people.values():
        person.leave()


def test_no_word_stands_outside_the_catalogue_and_longer_words_break_no_page(
    visits: list[Visit], pseudo_people: dict[str, Person], data: str
) -> None:
    outside, broken = set[str](), set[str]()
    for visit in (visit for visit in visits if visit.telling):
        person = pseudo_people[visit.person]
        person.open(visit.path)
        for text in texts(person):
            outside |= {f"{kind(visit.path)}: {w}" for w in loose(pseudo.unmarked(text), data)}
        for width in WIDTHS:
            seen = measure(person, width)
            faults = seen.cut + seen.overlaps + ["too wide"] * (seen.wider > 0)
            broken |= {f"{kind(visit.path)} at {width}: {fault}" for fault in faults}
    assert (sorted(outside), sorted(broken)) == ([], [])


def test_no_page_in_english_has_a_word_left_in_portuguese(
    visits: list[Visit], english_people: dict[str, Person], data: str
) -> None:
    own = portuguese_words()
    left = set[str]()
    for visit in (visit for visit in visits if visit.telling):
        person = english_people[visit.person]
        person.open(visit.path)
        for text in texts(person):
            pieces = [p for p in loose(text, data) if _is_left(p, own)]
            left |= {f"{kind(visit.path)}: {piece}" for piece in pieces}
    assert sorted(left) == []


def _is_left(piece: str, own: set[str]) -> bool:
    """A word of ours that is no English, or a day and a month as only Portuguese writes them."""
    found = {word.lower() for word in words(bare(piece))} & own
    return bool(found) or re.search(r"\b\d\d/\d\d\b", piece) is not None


def test_every_date_and_sum_of_a_page_has_the_form_of_its_language(
    visits: list[Visit], data: str
) -> None:
    wrong = {
        f"{kind(visit.path)}: {found}"
        for visit in visits
        for found in misformed(visit.text)
        if found not in data
    }
    assert sorted(wrong) == []


@pytest.mark.parametrize(
    "text", ["3 de Novembro", "em 3/11/2026", "em 03/11/26", "em 2026-11-03", "R$1,00", "R$ 1.5"]
)
def test_a_date_or_sum_of_another_form_is_found(text: str) -> None:
    assert misformed(text)


def test_a_date_and_a_sum_in_form_pass() -> None:
    assert misformed("03/11/2026 11:05:00, R$ 1.234,56, R$ 0,0012, 3 de novembro") == []


def test_no_page_counts_one_as_many_or_many_as_one(visits: list[Visit]) -> None:
    nouns = counted_nouns()
    assert ("proposta", "propostas") in nouns
    wrong = {
        f"{kind(visit.path)}: {found}"
        for visit in visits
        for one, many in nouns
        for found in re.findall(rf"(?<![\d,.:/-])(?:1 {many}|[2-9]\d* {one})\b", visit.text)
    }
    assert sorted(wrong) == []
