from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from grounding.reading.analysis import QueryTerms, Question
from grounding.retrieval import coverage
from grounding.retrieval.coverage import Signals, assess, assess_by_gap, measure
from grounding.retrieval.fusion import Scored

LEVELS = ["nenhuma", "baixa", "media", "alta"]
STRONG = Signals(
    term_share=0.9,
    cosine_top=0.8,
    cosine_margin=0.15,
    lexical_margin=0.5,
    legs_agree=True,
    identifier_found=True,
    identifier_missing=False,
    languages_differ=False,
)
WEAK = Signals(
    term_share=0.1,
    cosine_top=0.2,
    cosine_margin=0.01,
    lexical_margin=0.02,
    legs_agree=False,
    identifier_found=False,
    identifier_missing=True,
    languages_differ=False,
)
ASKED = QueryTerms.of(Question("KubePodNotReady on worker disk"))


def measured(**changes: object) -> Signals:
    arguments: dict[str, object] = {
        "question": ASKED,
        "weights": dict.fromkeys(ASKED.terms, 2.0),
        "known": frozenset(ASKED.terms),
        "lexical": [Scored(1, 1, 10.0), Scored(2, 2, 5.0)],
        "vector": [Scored(1, 1, 0.7), Scored(2, 2, 0.4)],
        "fused": [Scored(1, 1, 3.0), Scored(2, 2, 1.0)],
        "chunk_terms": {1: frozenset(ASKED.terms), 2: frozenset()},
        "languages_differ": False,
    }
    return measure(**{**arguments, **changes})  # type: ignore[arg-type]


def test_strong_evidence_is_high_and_weak_evidence_is_none() -> None:
    assert assess(STRONG).level == "alta"
    assert assess(WEAK).level == "nenhuma"


def test_nothing_found_is_none_whatever_else_is_said() -> None:
    none = assess(replace(STRONG, found=False))
    assert (none.level, none.reasons) == ("nenhuma", ("nothing_found",))


@pytest.mark.parametrize("signal", ["term_share", "cosine_top", "cosine_margin", "lexical_margin"])
def test_more_evidence_never_lowers_the_level(signal: str) -> None:
    raised: list[dict[str, Any]] = [{signal: value / 20} for value in range(21)]
    steps = [assess(replace(WEAK, **changes)) for changes in raised]
    ranks = [LEVELS.index(step.level) for step in steps]
    assert all(a <= b for a, b in pairwise(ranks))
    assert steps[-1].probability > steps[0].probability


def test_a_name_that_no_document_has_lowers_the_level() -> None:
    missing = replace(STRONG, identifier_missing=True, identifier_found=False)
    assert assess(missing).probability < assess(STRONG).probability
    assert "unknown_identifier" in assess(missing).reasons


def test_the_answer_names_its_calibration() -> None:
    assert assess(STRONG).calibration == "ops-2"


@pytest.mark.parametrize("name", ["ops-1", "ops-2"])
def test_every_weight_of_the_calibration_is_a_signal(name: str) -> None:
    place = Path(coverage.__file__).parent / f"calibrations/{name}.json"
    data = json.loads(place.read_text(encoding="utf-8"))
    assert data["fitted_on"]
    for group in data.get("groups", {"": data}).values():
        limits = group["thresholds"]
        assert set(group["weights"]) <= set(Signals.__dataclass_fields__)
        assert limits["alta"] > limits["media"] > limits["baixa"]


def test_each_pair_of_languages_has_weights_of_its_own() -> None:
    pairs: list[dict[str, Any]] = [{}, {"all_portuguese": True}, {"languages_differ": True}]
    found = {assess(replace(STRONG, **changes)).probability for changes in pairs}
    assert len(found) == 3


def test_an_unknown_calibration_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        assess(STRONG, calibration="none-9")


def test_all_terms_in_the_best_chunk_is_a_full_share() -> None:
    assert measured().term_share == 1.0


def test_a_share_is_weighed_by_rarity() -> None:
    weights = {**dict.fromkeys(ASKED.terms, 0.0), "disk": 9.0, "worker": 1.0}
    signals = measured(weights=weights, chunk_terms={1: frozenset(["disk"])})
    assert signals.term_share == pytest.approx(0.9)


def test_margins_compare_the_best_with_the_next() -> None:
    assert measured().cosine_margin == pytest.approx(0.3)
    assert measured().lexical_margin == pytest.approx(0.5)


def test_legs_that_name_no_common_document_disagree() -> None:
    assert measured().legs_agree
    assert not measured(vector=[Scored(7, 7, 0.7)]).legs_agree


def test_a_name_is_found_in_the_best_chunk_or_missing_in_the_corpus() -> None:
    assert measured().identifier_found
    assert not measured().identifier_missing
    unknown = measured(known=frozenset(["disk"]), chunk_terms={1: frozenset(["disk"])})
    assert unknown.identifier_missing
    assert not unknown.identifier_found


def test_empty_legs_measure_as_nothing_found() -> None:
    signals = measured(lexical=[], vector=[], fused=[], chunk_terms={})
    assert assess(signals).level == "nenhuma"


def test_the_gap_heuristic_calls_close_scores_good() -> None:
    assert assess_by_gap([0.70, 0.69, 0.68]).level == "alta"
    assert assess_by_gap([0.70, 0.30, 0.10]).level == "media"
    assert assess_by_gap([0.10, 0.05]).level == "nenhuma"
    assert assess_by_gap([]).level == "nenhuma"
