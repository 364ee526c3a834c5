from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opspilot.bench import grounding, grounding_fill

GOOD = {
    "hybrid_vs_legs_largest": 1.2,
    "hybrid_vs_legs_small": 1.3,
    "recall_hnsw": 0.98,
    "ingest_vs_embedder": 0.9,
}


def told(**figures: Any) -> dict[str, Any]:
    found = grounding.Found(1_000, 2, Path("x"), 10)
    found.figures |= GOOD | figures
    return grounding.as_json(found)


def test_good_figures_are_within_the_limits() -> None:
    assert told()["within_limits"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("hybrid_vs_legs_small", 1.51), ("recall_hnsw", 0.94), ("ingest_vs_embedder", None)],
)
def test_a_figure_beyond_its_limit_or_missing_is_named(name: str, value: float | None) -> None:
    assert told(**{name: value})["missed"] == [name]


def test_the_vectors_are_the_same_in_every_process_and_of_unit_length() -> None:
    one, other = (np.array(list(grounding_fill.vectors(30, seed=4))) for _ in range(2))
    assert np.array_equal(one, other)
    assert np.allclose(np.linalg.norm(one, axis=1), 1, atol=1e-5)


def test_the_first_company_is_the_largest_and_the_second_has_five_hundred() -> None:
    found = grounding_fill.sizes(50_000, 300)
    assert (found[:2], len(found), max(found[2:]) < 100) == ([50_000, 500], 300, True)
