"""The coverage of a try by those of its searches."""

from __future__ import annotations

import pytest

from grounding.retrieval.coverage import Level
from opspilot.harness.running import levels


@pytest.mark.parametrize(
    ("searched", "level"),
    [
        ([], None),
        (["alta"], "alta"),
        (["nenhuma"], "nenhuma"),
        (["alta", "nenhuma"], "nenhuma"),
        (["nenhuma", "alta"], "baixa"),
        (["nenhuma", "baixa"], "baixa"),
        (["baixa", "alta"], "baixa"),
        (["media", "alta"], "media"),
        (["alta", "media"], "media"),
        (["nenhuma", "alta", "nenhuma"], "nenhuma"),
    ],
)
def test_no_later_search_makes_it_better_than_the_worst(
    searched: list[Level], level: Level | None
) -> None:
    assert levels.of_try(searched) == level
