from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding.answers.citations import check
from grounding.answers.drafting import MAX_SENTENCES, Passage, draft
from grounding.reading.analysis import QueryTerms, Question, terms
from grounding.reading.chunking import split
from grounding.reading.excerpts import excerpts

RUNBOOKS = Path("../shared/data/runbooks-prometheus-operator/files")
DISK = """\
When the disk is full the database stops. Do not restart the node before the disk is cleaned.

## Steps

- Look at the biggest folders first, with `du`.
- Remove the old archives of the database.

Free the disk with this command:

```sh
journalctl --vacuum-size=500M
```
"""
WORDS = ["disk", "full", "database", "node", "restart", "clean", "archive", "journalctl"]


def embed(texts: Sequence[str]) -> list[list[float]]:
    """A stand-in: one dimension a word, unit length."""
    rows = [
        [float(word in " ".join(terms(text, languages=("en",)))) for word in WORDS]
        for text in texts
    ]
    return [[value / (sum(row) ** 0.5 or 1.0) for value in row] for row in rows]


def ask(question: str, *passages: Passage) -> list[str]:
    asked = QueryTerms.of(Question(question))
    found = draft(asked, embed([question])[0], passages, embed)
    texts = {passage.chunk_id: passage.text for passage in passages}
    assert check(found, texts) == found
    return [sentence.text for sentence in found]


def passage(text: str = DISK, chunk_id: int = 1, document_id: int = 1, start: int = 0) -> Passage:
    return Passage(chunk_id, document_id, start, text)


def test_the_sentence_that_answers_is_quoted() -> None:
    texts = ask("may I restart the node when the disk is full?", passage())
    assert "Do not restart the node before the disk is cleaned." in texts


def test_a_prohibition_never_loses_its_negation() -> None:
    for text in ask("restart the node", passage()):
        assert "restart" not in text or text.startswith("Do not")


def test_a_command_comes_with_the_line_that_introduces_it() -> None:
    wanted = "Free the disk with this command:\n`journalctl --vacuum-size=500M`"
    assert wanted in ask("command to free the disk", passage())


def test_headings_are_never_quoted() -> None:
    assert all("Steps" not in excerpt.quote for excerpt in excerpts(DISK))


def test_a_chunk_of_headings_only_gives_no_answer() -> None:
    assert ask("steps", passage("## Steps\n\n### Disk is full\n")) == []


def test_at_most_six_sentences_are_given() -> None:
    many = " ".join(
        f"The disk of database {name} is full."
        for name in ("a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8")
    )
    assert len(ask("disk full database", passage(many))) <= MAX_SENTENCES


def test_the_same_sentence_in_two_documents_is_said_once() -> None:
    same = "The disk of the database is full and must be cleaned."
    assert len(ask("disk full", passage(same), passage(same, 2, 2))) == 1


def test_sentences_come_in_the_order_of_the_document() -> None:
    first = passage("Clean the full disk of the database node.", 1, 1, start=0)
    second = passage("Restart the database node with the full archive.", 2, 1, start=900)
    assert ask("restart database node full disk", second, first) == [first.text, second.text]


def test_no_passages_give_no_answer() -> None:
    assert ask("disk") == []


def test_a_list_item_is_quoted_whole_without_its_mark() -> None:
    quotes = [
        excerpt.quote
        for excerpt in excerpts("- Drain the node first,\n  then restart it.\n- Wait.")
    ]
    assert quotes == ["Drain the node first,\n  then restart it."]


def test_a_wrapped_sentence_is_one_line_to_read_and_verbatim_to_cite() -> None:
    source = "The node must be drained\nbefore it is restarted. Nothing else."
    excerpt = excerpts(source)[0]
    assert excerpt.text == "The node must be drained before it is restarted."
    assert excerpt.quote in source


@pytest.mark.parametrize(
    "junk", ["# Only a heading here", "![a picture of it](x.png)", "[A link](a.md)", "---", "<br>"]
)
def test_what_says_nothing_alone_is_no_excerpt(junk: str) -> None:
    assert excerpts(junk) == []


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    found = excerpts("Use a tool, e.g. Grafana, to look at the node. Then drain the node slowly.")
    assert len(found) == 2


def test_an_introduction_without_its_list_is_not_quoted() -> None:
    assert excerpts("Check the following things in this order:") == []


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="Aa b.:\n-`#|>~1*[]()", max_size=300))
def test_every_excerpt_is_verbatim_at_its_place(source: str) -> None:
    for excerpt in excerpts(source):
        assert source[excerpt.start : excerpt.start + len(excerpt.quote)] == excerpt.quote


@pytest.mark.skipif(not RUNBOOKS.is_dir(), reason="../shared/data is not here")
def test_real_runbooks_give_verbatim_excerpts() -> None:
    found = 0
    for file in sorted(RUNBOOKS.rglob("*.md")):
        for piece in split(file.read_text(encoding="utf-8"), title=file.stem):
            for excerpt in excerpts(piece.text):
                assert piece.text[excerpt.start :].startswith(excerpt.quote)
                found += 1
    assert found > 500
