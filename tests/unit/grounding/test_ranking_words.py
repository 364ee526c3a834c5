from __future__ import annotations

from grounding.reading.analysis import QueryTerms, Question, sequence
from grounding.retrieval.fusion import Scored, fuse
from grounding.retrieval.ranking import neighbours

IDF = dict.fromkeys(("fil", "pag", "consum"), 2.0)


def test_words_that_stand_together_in_the_question_and_apart_in_the_text_count_nothing() -> None:
    far = ["fil", *["x"] * 5, "pag"]
    assert neighbours(["fil", "pag"], far, IDF) == 0.0


def test_neighbours_count_in_either_order_and_over_two_words_between() -> None:
    assert neighbours(["fil", "pag"], ["pag", "x", "x", "fil"], IDF) == 1.0


def test_a_question_of_one_word_has_no_neighbours() -> None:
    assert neighbours(["fil"], ["fil", "pag"], IDF) == 0.0


def test_the_share_is_weighed_by_how_rare_the_words_are() -> None:
    rare = {"fil": 6.0, "pag": 2.0, "consum": 2.0}
    share = neighbours(["fil", "pag", "consum"], ["fil", "pag"], rare)
    assert share == 8.0 / 12.0


def test_a_heavier_lexical_leg_can_change_the_first() -> None:
    lexical = [Scored(1, 1, 9.0), Scored(2, 2, 1.0), Scored(3, 3, 1.0)]
    vector = [Scored(2, 2, 0.9), Scored(1, 1, 0.2), Scored(3, 3, 0.1)]
    light = fuse(lexical, vector, limit=3, lexical_weight=0.2)
    heavy = fuse(lexical, vector, limit=3, lexical_weight=3.0)
    assert (light[0].chunk_id, heavy[0].chunk_id) == (2, 1)


def test_a_sequence_keeps_what_is_said_twice() -> None:
    assert sequence("fila da fila", "pt") == ["fil", "fil"]


def test_own_words_are_stemmed_in_the_language_they_are_told_to_be() -> None:
    asked = QueryTerms.of(Question("Como reinicio as operações da fila?"))
    assert asked.language == "pt"
    assert asked.own == tuple(dict.fromkeys(asked.words))
