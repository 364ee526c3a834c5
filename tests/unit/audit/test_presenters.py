from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import replace

import pytest

from audit.story import presenters
from audit.story.queries import TrailLine

NOON = dt.datetime(2026, 11, 30, 15, 0, tzinfo=dt.UTC)
RUN = uuid.uuid4()


def a_line(at: dt.datetime) -> TrailLine:
    return TrailLine(
        id=1,
        at=at,
        correlation_id=RUN,
        agent="console",
        action="aprovacao.concedida",
        result="ok",
        authorization="humana",
        approved_by="aprovador 1 (usuario:2)",
        policy_version=1,
        sources=[],
        input=None,
        output=None,
        cost=None,
        reversible=False,
        reversal=None,
        error=None,
    )


@pytest.mark.parametrize(("before", "dated"), [(1, False), (30, True)])
def test_a_story_shows_dates_when_it_began_on_another_day_than_its_heading(
    before: int, dated: bool
) -> None:
    older = a_line(NOON - dt.timedelta(hours=before))
    ((_day, (story,)),) = presenters.days([a_line(NOON), older])
    assert story.dated is dated


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("parada_de_emergencia", "uma parada de emergência está em vigor"),
        ("destino_recusou_422", "o destino recusou com o código 422"),
        ("de_outra_versao", "de outra versao"),
    ],
)
def test_a_reason_reads_as_on_the_page_of_its_proposal(code: str, words: str) -> None:
    assert presenters.entry(replace(a_line(NOON), error=code)).stored == words
