from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grounding.measuring import fitting, labelled, metrics
from grounding.measuring.judged import Row
from grounding.measuring.labelled import UnreadableFolderError
from grounding.retrieval.coverage import Signals

SIGNALS = Signals(0.5, 0.5, 0.1, 0.1, True, False, False, False)


def test_the_first_right_document_at_rank_two_is_worth_a_half() -> None:
    assert metrics.scores(["a", "b"], {"b": 2}).mrr_5 == 0.5


def test_a_right_document_at_rank_six_is_not_found_among_five() -> None:
    found = metrics.scores(list("uvwxyb"), {"b": 1})
    assert (found.mrr_5, found.recall_5, found.recall_20) == (0.0, 0.0, 1.0)


def test_gains_are_linear_in_the_grade() -> None:
    best = metrics.scores(["full", "part"], {"full": 2, "part": 1})
    turned = metrics.scores(["part", "full"], {"full": 2, "part": 1})
    assert best.ndcg_10 == 1.0
    assert turned.ndcg_10 == pytest.approx((1 + 2 / 1.58496) / (2 + 1 / 1.58496), abs=1e-4)


def test_intervals_are_the_same_each_time() -> None:
    found = [metrics.scores(["a"], {"a": 1}), metrics.scores(["b"], {"a": 1})]
    assert metrics.intervals(found) == metrics.intervals(found)


def test_a_difference_is_taken_question_by_question() -> None:
    found = metrics.difference([1.0, 0.5, 0.5], [0.5, 0.5, 1.0])
    assert (found["difference"], found["better"], found["same"], found["worse"]) == (0.0, 1, 1, 1)


def test_a_tie_counts_half_in_the_auroc() -> None:
    assert metrics.auroc([0.9, 0.5], [0.5]) == 0.75


def test_without_negatives_there_is_no_auroc() -> None:
    assert metrics.auroc([0.9], []) is None


def test_saying_one_half_where_half_is_true_is_calibrated() -> None:
    assert metrics.calibration_error([0.5, 0.5], [True, False]) == 0.0
    assert metrics.calibration_error([0.9, 0.9], [True, False]) == pytest.approx(0.4)


def test_a_folder_without_questions_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFolderError, match=r"queries\.jsonl"):
        labelled.read(tmp_path)


def test_a_folder_without_labels_can_be_searched_with(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text('{"id": "q1", "text": "Como reinicio?"}\n')
    folder = labelled.read(tmp_path)
    assert not folder.has_labels
    assert folder.questions[0].slices == ("pt",)


def test_the_heading_of_the_labels_is_no_label(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text('{"id": "q1", "text": "x", "lang": "en"}\n')
    (tmp_path / "qrels.tsv").write_text("query_id\tpath\tgrade\nq1\ta.md\t2\nq1\tb.md\t0\n")
    assert labelled.read(tmp_path).questions[0].grades == {"a.md": 2}


def test_a_changed_label_makes_another_folder(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text(json.dumps({"id": "q1", "text": "x"}))
    before = labelled.read(tmp_path).sha256
    (tmp_path / "qrels.tsv").write_text("q1\ta.md\t1\n")
    assert labelled.read(tmp_path).sha256 != before


def judged(number: int) -> list[Row]:
    there = replace(SIGNALS, term_share=0.6 + number % 4 / 10)
    gone = replace(SIGNALS, term_share=0.1 + number % 5 / 10)
    group = f"document-{number % 10}"
    return [Row("q", group, "", True, there), Row("q", group, "passage", False, gone)]


def test_a_fit_tells_what_can_be_answered_from_what_cannot() -> None:
    rows = [row for number in range(40) for row in judged(number)]
    found = fitting.quality(fitting.out_of_fold(rows), rows)
    assert found["auroc_passage"] > 0.95


def test_the_questions_of_a_document_never_stand_on_both_sides_of_a_fold() -> None:
    rows = [row for number in range(40) for row in judged(number)]
    places: dict[str, set[int]] = {}
    for row, fold in zip(rows, fitting._folds(rows), strict=True):
        places.setdefault(row.group, set()).add(fold)
    assert {len(folds) for folds in places.values()} == {1}
