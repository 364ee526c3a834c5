"""What a page of a long history touches: the months it needs and no more, whatever the statistics
say, on the first page and deep inside."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.conftest import Connection
from tests.db.long_history import PAGE, Long, a_long_history, touched


@pytest.fixture(scope="module")
def long_history(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, admin: Connection
) -> Iterator[Long]:
    with django_db_blocker.unblock(), a_long_history(admin, rows=24_000, share=750) as long:
        yield long


@pytest.mark.parametrize("deep", [False, True])
def test_a_page_reads_one_month_and_little_more_than_its_rows(
    long_history: Long, committed: None, deep: bool
) -> None:
    found = touched(long_history, long_history.middle if deep else None)
    assert len(found.tables) == 1
    assert found.sorts == 0
    assert found.buffers <= 4 * PAGE


def test_new_statistics_do_not_change_what_a_page_reads(
    long_history: Long, committed: None
) -> None:
    read = []
    for _round in range(3):
        long_history.admin.execute("ANALYZE agente_acao")
        read.append(touched(long_history, long_history.middle).buffers)
    assert max(read) <= 2 * min(read)
