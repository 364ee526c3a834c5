"""A list of steps is given from its first one on, each step cited where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from grounding.answers.citations import Sentence, check
from grounding.answers.drafting import Passage
from grounding.answers.steps import LONGEST_STEPS, Section, from_the_first
from grounding.reading.chunking import split
from grounding.reading.excerpts import excerpts

DEMO = Path("opspilot/operations/demo")
DATA = Path("../shared/data")
SHORT = "1. Pause the producer.\n2. Restart it.\n3. ls -l\n4. Start the producer again.\n"


def section(*texts: str, opens: bool = True) -> Section:
    """Passages that follow one another with an empty line between them."""
    starts = [sum(len(text) + 2 for text in texts[:index]) for index in range(len(texts))]
    passages = [Passage(n, 1, start, texts[n], ("Steps",)) for n, start in enumerate(starts)]
    return Section(passages, opens)


def chosen(where: Section, quote: str) -> Sentence:
    passage = next(passage for passage in where.passages if quote in passage.text)
    return Sentence(quote, passage.chunk_id, quote, at=passage.text.index(quote))


def given(where: Section, *quotes: str) -> list[Sentence]:
    found = from_the_first([chosen(where, quote) for quote in quotes], [where])
    assert check(found, {item.chunk_id: item.text for item in where.passages}) == found
    return found


def texts(found: Sequence[Sentence]) -> list[str]:
    return [item.text for item in found]


def test_a_later_step_brings_the_ones_before_and_after_it() -> None:
    assert "\n".join(texts(given(section(SHORT), "Start the producer again."))) == SHORT.rstrip()


def test_a_step_too_short_to_be_checked_alone_goes_with_its_neighbour() -> None:
    assert "2. Restart it.\n3. ls -l" in texts(given(section(SHORT), "Start the producer again."))


def test_steps_are_fetched_from_the_passages_before_with_their_own_citations() -> None:
    where = section("1. Pause the producer.", "2. Wait for a minute.", "3. Start it again.")
    found = given(where, "Start it again.")
    assert [(item.chunk_id, item.at) for item in found] == [(0, 0), (1, 0), (2, 0)]


def test_a_list_is_given_once_however_many_of_its_steps_were_chosen() -> None:
    found = given(section(SHORT), "Start the producer again.", "Pause the producer.")
    assert len(texts(found)) == len(set(texts(found))) == 3


def test_what_is_in_no_ordered_list_stays_as_it_is() -> None:
    where = section(f"Never restart at noon.\n\n{SHORT}\nCall the team.")
    assert texts(given(where, "Never restart at noon.")) == ["Never restart at noon."]


def test_a_sentence_that_holds_the_whole_list_stays_and_says_it_alone() -> None:
    whole = "Do this in order:\n\n" + SHORT.rstrip()
    assert texts(given(section(whole), whole, "Pause the producer.")) == [whole]


def test_a_long_list_stops_after_a_step_and_says_which_ones_follow() -> None:
    long = "\n".join(f"{n}. Wait for the node {'again ' * 80}" for n in range(1, 10))
    *_, last = found = given(section(long), f"9. Wait for the node {'again ' * 79}")
    shown = len(found)
    assert 1 < shown < 9
    assert last.rest == (shown + 1, 9)
    assert sum(len(item.quote) for item in found) <= LONGEST_STEPS


def test_of_a_first_step_that_is_too_long_what_was_chosen_is_given() -> None:
    long = (
        f"1. Look at the log.\n\n{'   It is long. ' * 200}\n\n   Drain the node.\n2. Wait for it."
    )
    (kept,) = given(section(long), "Drain the node.")
    assert (kept.text, kept.rest) == ("Drain the node.", (1, 2))
    (begun,) = given(section(long), "Wait for it.")
    assert begun.quote.startswith("1. Look at the log.")


def test_a_list_whose_first_step_is_out_of_reach_is_left_out() -> None:
    assert given(section("7. Start it again.\n8. Wait for it.", opens=False), "Wait for it.") == []


def test_commands_and_what_is_nested_belong_to_their_step() -> None:
    text = (
        "1. Stop it:\n\n   ```sh\n   stop now\n   ```\n\n2. Look at:\n   - the log\n   - the disk\n"
    )
    assert texts(given(section(text), "the disk")) == [
        "1. Stop it:\n`stop now`",
        "2. Look at:\n   - the log\n   - the disk",
    ]


@pytest.mark.parametrize(
    ("between", "read"),
    [("```sh\nlook at it\n```", "`look at it`"), ("Some words.", "Some words.")],
)
def test_steps_numbered_on_go_on_after_what_stands_at_the_margin(between: str, read: str) -> None:
    where = section(f"1. Look at the log\n\n{between}\n\n2. Restart the node.")
    assert texts(given(where, "Restart the node.")) == [
        f"1. Look at the log\n{read}",
        "2. Restart the node.",
    ]


def test_a_second_list_of_a_section_is_another_one() -> None:
    where = section("1. First way.\n2. Wait.\n\nOr else:\n\n1. Second way.\n2. Wait for it.")
    assert texts(given(where, "Wait for it.")) == ["1. Second way.", "2. Wait for it."]


def test_a_heading_ends_a_list() -> None:
    where = section("1. First way.\n2. Wait.\n\n## More\n\n3. Other way.\n4. Wait for it.")
    assert texts(given(where, "Wait for it.")) == ["3. Other way.", "4. Wait for it."]


def runbooks() -> list[Path]:
    real = sorted(DATA.glob("runbooks-*/files/**/*.md"))
    return [*sorted(DEMO.rglob("*.md")), *real[::4]]


def ordered_items(text: str) -> Iterator[list[tuple[int, int]]]:
    """The items of each ordered list as another reader of Markdown finds them."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    open_lists: list[list[tuple[int, int]]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type.endswith("_list_open"):
            open_lists.append([])
        elif token.type == "list_item_open" and token.map:
            open_lists[-1].append((lines[token.map[0]], lines[token.map[1]]))
        elif token.type.endswith("_list_close"):
            items = open_lists.pop()
            if token.type == "ordered_list_close":
                yield items


def alone(passages: Sequence[Passage], sections: Sequence[Section]) -> Iterator[list[Sentence]]:
    """What becomes of each excerpt of a document when it is all that was chosen."""
    for passage in passages:
        mine = [found for found in sections if passage in found.passages]
        for item in excerpts(passage.text):
            sentence = Sentence(item.text, passage.chunk_id, item.quote, at=item.start)
            yield from_the_first([sentence], mine)


def left_out(text: str, items: list[tuple[int, int]], spans: list[tuple[int, int]]) -> list[str]:
    """Items that stand before the last one shown and are not shown whole."""
    shown = set().union(*(range(*span) for span in spans))
    letters = [[at for at in range(*item) if text[at].isalnum()] for item in items]
    last = max((n for n, found in enumerate(letters) if shown.intersection(found)), default=0)
    return [text[slice(*items[n])] for n in range(last) if not shown.issuperset(letters[n])]


@pytest.mark.skipif(
    not DATA.is_dir(), reason="../shared/data is not here: its runbooks are not read"
)
def test_the_real_runbooks_are_here() -> None:
    assert len(runbooks()) > 150


def test_no_runbook_gives_a_step_without_the_ones_before_it() -> None:
    checked = 0
    for file in runbooks():
        text = file.read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n")
        pieces = split(text, title=file.stem)
        passages = [Passage(p.ordinal, 1, p.start, p.text, p.heading_path) for p in pieces]
        groups = groupby(passages, key=lambda passage: passage.heading_path)
        answers = list(alone(passages, [Section(list(group)) for _path, group in groups]))
        stored = {passage.chunk_id: passage.text for passage in passages}
        assert all(check(found, stored) == found for found in answers)
        lists = list(ordered_items(text)) if not text.startswith(("---", "+++")) else []
        for found in answers if lists else []:
            spans = [
                (start, start + len(item.quote))
                for item in found
                if (start := passages[item.chunk_id].start + (item.at or 0)) >= 0
            ]
            assert [left_out(text, items, spans) for items in lists if len(items) > 1] == [
                [] for items in lists if len(items) > 1
            ], file
            checked += 1
    assert checked > 100
