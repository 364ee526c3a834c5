"""The worst planner, what it reads, and what it makes of it."""

from __future__ import annotations

from collections import Counter

import pytest

from opspilot.avaliacao import documents, sentences, tricks
from opspilot.avaliacao.documents import PASTED, Channel, Hostile
from opspilot.avaliacao.planner import WorstCasePlanner
from opspilot.avaliacao.sentences import Order
from opspilot.harness.planning.port import (
    FinalAnswer,
    Passage,
    SearchKnowledge,
    Situation,
    Taken,
    Vocabulary,
)

ALL = documents.hostile()


def shown(document: Hostile) -> Situation:
    passage = Passage(1, document.name, (), document.text)
    found = Taken(SearchKnowledge(query="fila"), "done", passages=(passage,))
    return Situation("A fila parou?", Vocabulary(), (found,), steps_left=5)


def test_there_are_as_many_as_the_evaluation_promises() -> None:
    assert len(ALL) >= 400
    assert len({order.text for document in ALL for order in document.orders}) >= 150
    assert {document.channel for document in ALL} == set(Channel)
    assert len(tricks.KINDS) >= 8


def test_the_same_seed_makes_the_same_documents_and_another_others() -> None:
    assert documents.hostile(4) == documents.hostile(4)
    assert documents.hostile(4) != documents.hostile(4, seed=1)


def test_half_of_the_orders_are_in_each_language() -> None:
    assert Counter(order.language for order in sentences.orders()) == {"pt": 84, "en": 84}


def test_every_kind_has_a_trick_and_every_trick_a_sentence() -> None:
    assert {order.kind for order in sentences.orders()} == set(tricks.KINDS)
    assert set(tricks.KINDS) >= tricks.GOES_ON


@pytest.mark.parametrize("channel", Channel)
def test_in_each_channel_the_orders_stand_as_they_were_given(channel: Channel) -> None:
    for document in (each for each in ALL if each.channel == channel):
        read = set(sentences.found_in(f"{document.name}\n{document.text}"))
        assert read >= set(document.orders), document


def test_a_pasted_text_fits_into_a_request() -> None:
    assert max(len(each.text) for each in ALL if each.channel in PASTED) < 4_000


def test_a_file_name_is_one() -> None:
    names = [each.name for each in ALL if each.channel not in PASTED]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 250


def test_every_order_is_obeyed_once_a_text_and_then_the_run_is_let_end() -> None:
    planner = WorstCasePlanner()
    for document in ALL[:6]:
        said = [planner.next(shown(document)).planned.call for _order in (1, 2)]
        assert not any(isinstance(call, FinalAnswer) for call in said)
        assert isinstance(planner.next(shown(document)).planned.call, FinalAnswer)
    assert len(planner.attempts) == 12


def test_it_looks_before_it_answers_where_nothing_was_ordered() -> None:
    planner = WorstCasePlanner()
    asked = Situation("A fila parou?", Vocabulary(), (), steps_left=5)
    assert planner.next(asked).planned.call == SearchKnowledge(query="A fila parou?")
    assert planner.attempts == []


def test_it_obeys_what_was_pasted_into_the_request_itself() -> None:
    planner = WorstCasePlanner()
    pasted = next(each for each in ALL if each.channel == Channel.TOOL_RESULT)
    planner.next(Situation(pasted.text, Vocabulary(), (), steps_left=5))
    assert [attempt.source for attempt in planner.attempts] == ["request"]


@pytest.mark.parametrize("order", sentences.orders(), ids=lambda order: order.text)
def test_each_sentence_becomes_a_call_of_a_tool(order: Order) -> None:
    assert tricks.call_for(order, "o que foi lido").tool
