from __future__ import annotations

from grounding.reading.likeness import Passage, pairs, signature

TEXT = " ".join(
    f"step {n} of the procedure says to look at panel {n} and to wait" for n in range(12)
)
OTHER = " ".join(
    f"volume {n} is full when the retention of tenant {n} was set wrong" for n in range(12)
)


def told(*texts: tuple[int, str]) -> set[tuple[int, int]]:
    passages = [Passage(number, document, text) for number, (document, text) in enumerate(texts)]
    return {(one.id, other.id) for one, other in pairs(passages)}


def test_a_copy_in_another_document_is_told() -> None:
    assert told((1, TEXT), (2, TEXT), (3, OTHER)) == {(0, 1)}


def test_two_texts_that_differ_in_one_name_are_told() -> None:
    assert told((1, TEXT), (2, TEXT.replace("panel 7", "panel pag-02"))) == {(0, 1)}


def test_two_passages_of_one_document_are_not_a_pair() -> None:
    assert told((1, TEXT), (1, TEXT)) == set()


def test_accents_and_capitals_make_no_difference() -> None:
    accented = TEXT.replace("procedure", "procédure").upper()
    assert told((1, TEXT.replace("procedure", "procedure")), (2, accented)) == {(0, 1)}


def test_a_text_of_a_few_words_is_compared_with_nothing() -> None:
    assert signature("Restart the consumer.") is None
    assert told((1, "Restart the consumer."), (2, "Restart the consumer.")) == set()


def test_two_hundred_copies_take_a_bounded_number_of_pairs() -> None:
    found = told(*((number, TEXT) for number in range(200)))
    assert 0 < len(found) < 30 * 30
