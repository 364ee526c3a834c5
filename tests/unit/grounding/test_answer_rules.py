"""Which excerpts answer which kind of question, and in what order they are given."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from uuid import UUID

import pytest

from grounding.answers.drafting import Passage, draft
from grounding.reading.analysis import QueryTerms, Question
from grounding.retrieval.consult import languages_differ
from grounding.retrieval.search import Source
from tests.unit.grounding.test_answers import embed

SYMPTOMS = """\
The disk of the database node is full and the archive grows.

The disk of the database is full for an hour."""
STEPS = """\
1. Look at the disk of the database node.
2. Move what is older than a week.
3. Clean the archive of the database node.

**Never restart the node with a full disk.** The archive is lost."""
TABLE = """\
| Role | Call for |
|---|---|
| database on-call | the disk of the database is full |
| second coordinator | a full archive stays full after an hour, at night |"""
SOURCE = Source(
    1, "text", "text", (), 0, 4, "sha", 0, 1, 1, "title", "pt", 1, UUID(int=1), "collection",
    1, "collection", "name.md", "", "runbook", dt.date(2026, 11, 30), "chunker",
)  # fmt: skip


def ask(question: str, *passages: Passage) -> list[str]:
    asked = QueryTerms.of(Question(question))
    return [item.quote for item in draft(asked, embed([question])[0], passages, embed)]


def under(heading: str, text: str, chunk_id: int, *, document_id: int = 1) -> Passage:
    return Passage(chunk_id, document_id, chunk_id * 1000, text, ("Full disk", heading))


RUNBOOK = (under("Symptoms", SYMPTOMS, 1), under("Steps", STEPS, 2))


def test_what_to_do_is_answered_by_steps_and_not_by_symptoms() -> None:
    found = ask("What should I do when the disk of the database is full?", *RUNBOOK)
    assert any("Clean the archive" in quote for quote in found)
    assert not any(quote in SYMPTOMS for quote in found)


def test_a_fact_is_still_answered_by_a_description() -> None:
    found = ask("Which disk of the database is full?", *RUNBOOK)
    assert any(quote in SYMPTOMS for quote in found)


def test_a_warning_comes_before_the_steps_of_its_section() -> None:
    found = ask("How do I clean the archive of the database?", *RUNBOOK)
    assert found[0].startswith("**Never restart the node")


def test_a_warning_that_shares_a_name_is_given_from_another_section() -> None:
    steps = under("Steps", "1. Clean the archive of `node-1` in the database.", 1)
    warning = under("Before you act", "**Never touch `node-1` at noon.** Ask for a yes.", 2)
    assert ask("How do I clean the archive of the database?", steps, warning)[0] == warning.text


def test_a_warning_of_another_document_is_not_pulled_in() -> None:
    steps = under("Steps", "1. Clean the archive of `node-1` in the database.", 1)
    other = under("Steps", "**Never touch `node-1` at noon.** Ask for a yes.", 2, document_id=2)
    found = ask("How do I clean the archive of the database?", steps, other)
    assert found == ["Clean the archive of `node-1` in the database."]


def test_whether_one_may_is_answered_first_by_the_prohibition() -> None:
    found = ask("Can I restart the database node when the disk is full?", *RUNBOOK)
    assert found[0].startswith("**Never restart the node")


def test_when_is_answered_by_the_whole_condition_also_among_the_symptoms() -> None:
    condition = (
        "Restart the node only when both hold.\n\n- The disk is full.\n- The archive is clean."
    )
    passages = under("Steps", STEPS, 1), under("Symptoms", condition, 2)
    assert condition in ask("When should I restart the database node?", *passages)


def test_of_one_table_only_the_row_that_matches_best_is_given() -> None:
    (row,) = ask("Who is called for a full archive?", under("Contacts", TABLE, 1))
    assert row == TABLE.splitlines()[3]


def test_undecided_words_never_differ_in_language_from_their_source() -> None:
    undecided = QueryTerms.of(Question("fila parada?"))
    assert not languages_differ(undecided, [SOURCE])
    assert not languages_differ(undecided, [replace(SOURCE, language="en")])


@pytest.mark.parametrize(("language", "differs"), [("pt", True), ("en", False)])
def test_words_that_tell_are_compared_with_the_best_source(language: str, differs: bool) -> None:
    asked = QueryTerms.of(Question("what is this queue for?"))
    assert languages_differ(asked, [replace(SOURCE, language=language)]) is differs
