"""Places of requests that wait: shared between companies, given back when another one comes."""

from __future__ import annotations

import uuid

import pytest

from opspilot.api.waiting import Places

ONE, TWO, THREE, FOUR = (uuid.uuid4() for _ in range(4))


@pytest.fixture
def places() -> Places:
    return Places(3)


def test_a_company_that_waits_alone_may_have_them_all(places: Places) -> None:
    assert [places.take(ONE) for _ in range(4)] == [True, True, True, False]


def test_while_another_company_waits_each_has_one(places: Places) -> None:
    assert places.take(ONE)
    assert places.take(TWO)
    assert not places.take(ONE)
    assert places.take(THREE)
    assert not places.take(FOUR)


def test_who_has_more_than_one_gives_one_back_when_another_comes(places: Places) -> None:
    for _ in range(3):
        places.take(ONE)
    assert not places.is_wanted_back(ONE)
    assert not places.take(TWO)
    assert places.is_wanted_back(ONE)
    places.leave(ONE)
    assert places.take(TWO)
    assert not places.is_wanted_back(ONE)


def test_the_last_place_of_a_company_is_not_asked_back(places: Places) -> None:
    for tenant_id in (ONE, TWO, THREE):
        places.take(tenant_id)
    assert not places.take(FOUR)
    assert not any(places.is_wanted_back(tenant_id) for tenant_id in (ONE, TWO, THREE))


def test_a_place_left_is_there_again(places: Places) -> None:
    places.take(ONE)
    places.leave(ONE)
    assert [places.take(TWO) for _ in range(3)] == [True, True, True]
