from __future__ import annotations

import pytest

from grounding.answers.citations import Sentence, check, refusal

AUTHORISED = {1: "Não reinicie o nó antes de drenar.", 2: "Drene o nó com kubectl drain."}


def sentence(chunk_id: int = 1, quote: str = "Não reinicie o nó") -> Sentence:
    return Sentence("texto", chunk_id, quote)


def test_a_verbatim_quote_of_a_retrieved_chunk_stays() -> None:
    assert check([sentence()], AUTHORISED) == [sentence()]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (sentence(chunk_id=99), "unknown_chunk"),
        (sentence(quote="Reinicie o nó agora"), "not_verbatim"),
        (sentence(chunk_id=2), "not_verbatim"),
        (sentence(quote="Não reinicie antes de drenar"), "not_verbatim"),
        (sentence(quote="não reinicie o nó"), "not_verbatim"),
        (sentence(quote=""), "too_short"),
        (sentence(quote="o nó   "), "too_short"),
    ],
)
def test_each_false_citation_is_dropped_for_its_own_reason(bad: Sentence, reason: str) -> None:
    assert refusal(bad, AUTHORISED) == reason
    assert check([bad], AUTHORISED) == []


def test_the_same_quote_counts_once() -> None:
    assert len(check([sentence(), sentence()], AUTHORISED)) == 1


def test_good_sentences_survive_bad_neighbours_in_order() -> None:
    second = sentence(2, "kubectl drain")
    assert check([second, sentence(99), sentence()], AUTHORISED) == [second, sentence()]


def test_nothing_authorised_means_abstention() -> None:
    assert check([sentence()], {}) == []


def test_the_same_words_at_two_places_are_two_citations() -> None:
    text = "Espere a resposta. Espere a resposta."
    twice = [Sentence("texto", 1, "Espere a resposta.", at=at) for at in (0, 19)]
    assert check(twice, {1: text}) == twice


def test_a_quote_that_does_not_stand_at_its_place_is_dropped() -> None:
    moved = Sentence("texto", 1, "Não reinicie o nó", at=3)
    assert refusal(moved, AUTHORISED) == "not_verbatim"
