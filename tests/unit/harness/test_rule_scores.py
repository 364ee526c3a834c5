"""The planner of the embedded mode, scored on sentences: ours, and those of people who have not
read its rules. Intent, call and arguments have to be right, or the sentence counts as wrong; only the
intent of `hand_over` is not compared (`rule_scoring` says why)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.harness import rule_scoring

SHARED = Path(__file__).parents[4] / "shared" / "data"
REAL_QUESTIONS = ("ops-questions-a/queries.jsonl", "faquad-a/queries.jsonl")
# A new rule may cost a sentence or two, and not quietly many.
OWN_FLOOR = 0.95
# Written before any rule was seen. The rules of the first day had 34 of these 50 right (68 %); they
# were then bettered by kinds of rules with these sentences in view. So this is a guard against
# getting worse, and no measure of what a stranger's next sentence meets.
OTHER_FLOOR = 0.94
# A second set, written by somebody who had seen neither the rules nor the first set. The rules as
# they were then had 39 of these 50 right (78 %), the intent of `hand_over` compared, 41 (82 %) as it
# is counted now. They too were then bettered by kinds with these sentences in view.
FRESH_FLOOR = 0.94


@pytest.mark.parametrize(
    ("name", "count", "floor"),
    [
        ("own.jsonl", 60, OWN_FLOOR),
        ("other.jsonl", 50, OTHER_FLOOR),
        ("fresh.jsonl", 50, FRESH_FLOOR),
    ],
)
def test_the_score_does_not_fall_below_its_floor(name: str, count: int, floor: float) -> None:
    missed = rule_scoring.misses(name)
    print(f"{name}: {count - len(missed)} of {count}")
    assert len(rule_scoring.sentences(name)) == count
    assert 1 - len(missed) / count >= floor, missed


def test_each_kind_of_call_is_among_our_sentences_in_both_languages() -> None:
    seen = {(one["lang"], one["call"]["tool"]) for one in rule_scoring.sentences("own.jsonl")}
    tools = {"search_knowledge", "prepare_issue", "prepare_task", "final_answer"}
    assert seen == {(language, tool) for language in ("pt", "en") for tool in tools}


@pytest.mark.parametrize("name", REAL_QUESTIONS)
def test_real_questions_are_looked_up(name: str) -> None:
    """Written for other ends, by people who knew nothing of commands."""
    if not (SHARED / name).exists():
        pytest.skip(f"{name} is not on this machine")
    lines = (SHARED / name).read_text().splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    taken = [text for text in texts if rule_scoring.plan(text).planned.intent != "diagnosis"]
    print(f"{name}: {len(taken)} of {len(texts)} taken for a wish")
    assert len(taken) <= len(texts) / 100, taken
