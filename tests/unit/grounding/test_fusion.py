from __future__ import annotations

import random

from grounding.retrieval.fusion import POOL, Scored, fuse, rrf


def leg(*scores: float, start: int = 1) -> list[Scored]:
    return [Scored(start + i, start + i, score) for i, score in enumerate(scores)]


def ids(items: list[object]) -> list[int]:
    return [item.chunk_id for item in items]  # type: ignore[attr-defined]


def test_a_chunk_that_both_legs_like_comes_first() -> None:
    lexical = [Scored(1, 1, 9.0), Scored(2, 2, 8.5), Scored(3, 3, 1.0)]
    vector = [Scored(4, 4, 0.70), Scored(2, 2, 0.69), Scored(3, 3, 0.2), Scored(1, 1, 0.1)]
    assert fuse(lexical, vector, limit=4)[0].chunk_id == 2


def test_a_great_lead_in_one_leg_outweighs_a_rank() -> None:
    lexical = [Scored(1, 1, 50.0), *(Scored(i, i, 5.0) for i in range(2, 30))]
    vector = [Scored(2, 2, 0.50), Scored(1, 1, 0.49), *(Scored(i, i, 0.3) for i in range(3, 30))]
    assert fuse(lexical, vector, limit=1)[0].chunk_id == 1


def test_a_document_gets_at_most_two_places() -> None:
    lexical = [Scored(i, 1, 10.0 - i) for i in range(1, 6)] + [Scored(9, 2, 1.0)]
    fused = fuse(lexical, [], limit=10)
    assert [item.document_id for item in fused].count(1) == 2
    assert 9 in ids(list(fused))


def test_the_order_does_not_depend_on_the_order_of_the_legs() -> None:
    lexical, vector = leg(5, 4, 4, 4, 1), leg(0.4, 0.4, 0.5, 0.4, 0.4, start=3)
    wanted = fuse(lexical, vector, limit=10)
    source = random.Random(3)  # noqa: S311 - not a secret
    for _ in range(10):
        source.shuffle(lexical)
        source.shuffle(vector)
        assert fuse(lexical, vector, limit=10) == wanted


def test_equal_chunks_are_ordered_by_id() -> None:
    assert ids(list(fuse(leg(1, 1, 1), leg(1, 1, 1), limit=3))) == [1, 2, 3]


def test_only_the_hundred_best_of_a_leg_take_part() -> None:
    long = [Scored(i, i, 1000.0 - i) for i in range(1, POOL + 50)]
    assert len(fuse(long, [], limit=1000)) == POOL


def test_the_only_match_of_a_rare_word_counts() -> None:
    vector = [Scored(i, i, 0.5 - i / 1000) for i in range(1, 20)]
    assert fuse([Scored(15, 15, 8.0)], vector, limit=1)[0].chunk_id == 15


def test_no_hits_give_nothing() -> None:
    assert fuse([], [], limit=5) == []


def test_the_limit_holds() -> None:
    assert len(fuse(leg(*range(30)), [], limit=7)) == 7


def test_rrf_adds_the_inverse_of_rank_plus_sixty() -> None:
    first = rrf(leg(9, 8), leg(0.9, 0.8), limit=2)[0]
    assert first.chunk_id == 1
    assert first.score == 2 / 61
