"""Where a text may be cut, and what is repeated where it had to be cut inside a fence or a table."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from grounding.answers.drafting import Passage
from grounding.reading.chunking import Piece, Policy, split

RUNBOOKS = Path("../shared/data")
_FENCE = re.compile(r"[\s>]*(?:[-*+]|\d+[.)])?\s*(?:```|~~~)[\w-]*\s*$")
_SEPARATOR = re.compile(r"\s*\|[-|:\s]+$")
SENTENCES = [f"Sentence number {n} says what the host does when it is slow." for n in range(60)]


def pieces(text: str, limit: int = 1_400, *, overlap: bool = True) -> list[Piece]:
    return split(text, title="Doc", policy=Policy(limit, overlap))


def fences(text: str) -> int:
    return sum(bool(_FENCE.match(line)) for line in text.splitlines())


def test_each_part_of_a_long_fence_is_opened_and_closed_again() -> None:
    source = "# A\n\n```sh\n" + "kubectl get pods --all-namespaces\n" * 120 + "```\n\nAfter.\n"
    found = [piece for piece in pieces(source) if "kubectl" in piece.text]
    assert len(found) > 2
    assert {fences(piece.shown) for piece in found} == {2}
    assert [piece.lead for piece in found] == [""] + ["```sh\n"] * (len(found) - 1)
    assert [piece.tail for piece in found[:-1]] == ["\n```"] * (len(found) - 1)


def test_a_fence_is_cut_only_between_its_lines() -> None:
    line = "kubectl get pods --all-namespaces"
    source = f"```sh\n{(line + chr(10)) * 120}```\n"
    for piece in pieces(source):
        assert set(piece.text.splitlines()) <= {line, "```sh", "```"}


def test_a_fence_inside_a_list_item_keeps_its_margin_where_it_is_cut() -> None:
    source = "1. Look:\n\n   ```sh\n" + "   oc get nodes -o wide\n" * 120 + "   ```\n"
    found = pieces(source)
    assert len(found) > 1
    assert {piece.lead for piece in found[1:]} == {"   ```sh\n"}
    assert all(fences(piece.shown) == 2 for piece in found)


def test_a_fence_that_nobody_closed_is_closed_where_it_is_shown() -> None:
    (piece,) = pieces("```\nrm -rf cache\n")
    assert piece.text == "```\nrm -rf cache"
    assert piece.shown == "```\nrm -rf cache\n```"


def test_each_part_of_a_long_table_has_the_header() -> None:
    table = "| host | uso |\n|---|---|\n" + "| servidor-de-banco | 95 |\n" * 120
    found = pieces(table)
    assert len(found) > 1
    assert all(piece.shown.startswith("| host | uso |\n|---|---|\n| serv") for piece in found)


def test_what_is_repeated_is_searched_and_never_quoted() -> None:
    table = "| host | uso |\n|---|---|\n" + "| servidor-de-banco | 95 |\n" * 120
    last = pieces(table)[-1]
    assert "| host | uso |" in last.searched
    assert "| host | uso |" not in last.text


def test_one_sentence_of_prose_is_repeated_where_a_section_is_cut() -> None:
    source = "\n\n".join(" ".join(SENTENCES[n : n + 4]) for n in range(0, 60, 4))
    first, second = pieces(source, 700)[:2]
    assert second.start < first.end
    assert source[second.start : first.end] == first.text.rpartition("slow. ")[2]


def test_a_list_and_a_fence_are_not_repeated() -> None:
    item = "- first step of the procedure\n"
    fence = "```\n" + "kubectl get pods\n" * 40 + "```\n\n"
    for source in (item * 120, fence * 4):
        found = pieces(source, 700)
        assert all(a.end <= b.start for a, b in itertools.pairwise(found))


def test_nothing_is_repeated_across_a_heading() -> None:
    paragraph = " ".join(SENTENCES[:18])
    found = pieces(f"# A\n\n{paragraph}\n\n## B\n\n{paragraph}\n")
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


def test_a_policy_without_overlap_repeats_nothing() -> None:
    source = "\n\n".join(SENTENCES)
    found = pieces(source, 700, overlap=False)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@pytest.mark.parametrize("limit", [400, 1_400, 4_000])
def test_no_piece_is_longer_than_the_policy_says(limit: int) -> None:
    source = "\n\n".join(SENTENCES) + "\n\n```\n" + "echo one two three\n" * 300 + "```\n"
    assert max(len(piece.text) for piece in pieces(source, limit)) <= limit


def test_a_policy_is_named_by_its_rules_and_what_they_were_given() -> None:
    assert Policy().chunker != Policy(limit=900).chunker != Policy(900, overlap=False).chunker
    assert len(Policy(4_000, overlap=True).chunker) <= 40


@pytest.mark.skipif(not RUNBOOKS.is_dir(), reason="../shared/data is not here")
def test_no_piece_of_a_real_runbook_has_an_odd_fence_or_a_table_without_header() -> None:
    files = sorted(RUNBOOKS.glob("runbooks-*/files/**/*.md"))[::6]
    assert len(files) > 100
    for file in files:
        source = file.read_text(encoding="utf-8", errors="replace")
        for piece in pieces(source):
            assert piece.text == source[piece.start : piece.end], file.name
            if fences(source) % 2 == 0:
                assert fences(piece.shown) % 2 == 0, (file.name, piece.ordinal)
            _has_its_header(piece, file.name)


def _has_its_header(piece: Piece, name: str) -> None:
    """Where the text begins with a row, the header and its line are before it."""
    first = piece.text.splitlines()[0]
    if piece.lead.lstrip().startswith("|"):
        assert first.lstrip().startswith("|"), (name, piece.ordinal)
        assert _SEPARATOR.match(piece.lead.splitlines()[1]), (name, piece.ordinal)


def test_a_line_of_a_cut_fence_is_read_as_a_command_and_quoted_from_the_text() -> None:
    source = "# A\n\n```sh\n" + "kubectl get pods --all-namespaces\n" * 120 + "```\n"
    piece = pieces(source)[1]
    passage = Passage(1, 1, piece.start, piece.text, (), piece.lead, piece.tail)
    found = passage.excerpts()
    assert found
    assert {one.kind for one in found} == {"command"}
    assert all(piece.text[one.start : one.end] == one.quote for one in found)


def test_a_row_of_a_cut_table_knows_its_header() -> None:
    table = "| host | uso |\n|---|---|\n" + "| servidor-de-banco | 95 |\n" * 120
    piece = pieces(table)[1]
    passage = Passage(1, 1, piece.start, piece.text, (), piece.lead, piece.tail)
    assert {"host" in one.header for one in passage.excerpts()} == {True}
