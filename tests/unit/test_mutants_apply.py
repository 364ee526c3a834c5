"""The mutants still break the code that is there: one that applies to nothing proves nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.machine.mutants import MUTANTS, Mutant, patched

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_mutant_applies_to_the_code_as_it_is_and_leaves_it_readable(mutant: Mutant) -> None:
    texts = {patch.place: (ROOT / patch.place).read_text("utf-8") for patch in mutant.patches}
    for patch in mutant.patches:
        texts[patch.place] = patched(texts[patch.place], patch.old, patch.new)
    for place, text in texts.items():
        if place.endswith(".py"):  # what is wrong in SQL the server says
            ast.parse(text)


def test_there_are_eight_with_a_name_of_their_own() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) == 8


def test_a_mutant_whose_words_are_gone_is_not_applied_in_silence() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        patched("the rule was rewritten", "the old rule", "")
