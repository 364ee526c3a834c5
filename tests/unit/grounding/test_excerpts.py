"""What may not be torn apart: a list from its lead-in, a row from its header, a reason."""

from __future__ import annotations

import pytest

from grounding.reading.excerpts import LONGEST_LIST, excerpts

CONDITIONS = """\
Fail over only when all three hold.

- The meters have been silent for 10 minutes.
- The collectors do not answer their health check.
- The region is not expected back soon.

One collector down is not a failover."""
TABLE = """\
| Role | Call for | Number |
|---|---|---|
| first on-call | any failure of a payment | 4101 |
| second on-call | no answer from the first | 4102 |"""


def quotes(text: str) -> list[str]:
    return [excerpt.quote for excerpt in excerpts(text)]


def test_a_sentence_directly_over_a_list_brings_the_whole_list() -> None:
    conditions, rest = quotes(CONDITIONS)
    assert conditions == CONDITIONS[: CONDITIONS.index("\n\nOne")]
    assert rest == "One collector down is not a failover."


def test_a_lead_in_with_a_colon_brings_its_list() -> None:
    text = "Check the following in this order:\n\n1. The disk of the node.\n2. The network of it."
    assert quotes(text) == [text]


def test_a_list_that_is_too_long_is_read_item_by_item() -> None:
    items = [f"- Look at the meters of street number {number}." for number in range(100, 130)]
    text = "\n".join(["Start at the north end.", "", *items])
    assert len(text) > LONGEST_LIST
    assert quotes(text) == ["Start at the north end.", *(item[2:] for item in items)]


def test_a_list_after_a_heading_is_read_item_by_item() -> None:
    text = "The node was silent.\n\n## Steps\n\n1. Drain the node first.\n2. Restart the node once."
    assert quotes(text)[-2:] == ["Drain the node first.", "Restart the node once."]


@pytest.mark.parametrize(
    "second",
    [
        "The replica then has to be rebuilt.",
        "In that case the primary stops.",
        "Nesse caso o primário para de gravar.",
        "Depois disso as leituras se perdem.",
        "Ele ocupa 40 GB por uma hora.",
    ],
)
def test_a_sentence_that_leans_on_the_one_before_brings_it(second: str) -> None:
    first = "A slot was dropped to free space."
    assert quotes(f"{first} {second}") == [first, f"{first} {second}"]


def test_a_sentence_that_leans_on_nothing_in_the_chunk_is_left_out() -> None:
    text = "Then the node has to be restarted. Wait ten minutes after the restart."
    assert quotes(text) == ["Wait ten minutes after the restart."]


def test_a_condition_with_its_then_leans_on_nothing() -> None:
    text = "When it fails then call the database on-call."
    assert quotes(f"A slot was dropped. {text}")[-1] == text


def test_a_bold_prohibition_keeps_its_reason() -> None:
    text = "**Never drop a slot.** The replica has to be rebuilt. That takes six hours."
    assert quotes(text) == [text]


def test_a_case_keeps_its_advice() -> None:
    text = "Se a fila diminui, ela não está parada. Acompanhe e não reinicie nada."
    (excerpt,) = excerpts(text)
    assert excerpt.quote == text
    assert excerpt.advises


def test_the_row_under_the_header_is_shown_with_it_and_without_the_separator() -> None:
    first, _ = excerpts(TABLE)
    assert first.quote == TABLE[: TABLE.index("\n| second")]
    assert first.text.splitlines() == [TABLE.splitlines()[0], TABLE.splitlines()[2]]


def test_a_later_row_is_quoted_alone_and_matched_with_the_header() -> None:
    second = excerpts(TABLE)[1]
    assert second.quote == TABLE.splitlines()[3]
    assert second.header == TABLE.splitlines()[0]


def test_a_row_of_a_table_cut_from_its_header_stands_alone() -> None:
    row = "| second on-call | no answer from the first | 4102 |"
    (excerpt,) = excerpts(row)
    assert (excerpt.quote, excerpt.header) == (row, "")


@pytest.mark.parametrize(
    ("text", "warns"),
    [
        ("**Nunca reinicie dois nós ao mesmo tempo.**", True),
        ("Não ligue para o banco sem aviso.", True),
        ("**Do not flush the cache.** An empty one is slow.", True),
        ("Não há outra cópia das leituras.", False),
        ("**Passo seguinte** é ligar de novo.", False),
    ],
)
def test_what_must_not_be_done_is_told_from_what_is_not_so(text: str, warns: bool) -> None:
    assert excerpts(text)[0].warns is warns


def test_an_excerpt_knows_the_heading_above_it() -> None:
    found = excerpts("Before anything is done.\n\n## Steps ##\n\nDrain the node first.")
    assert [excerpt.heading for excerpt in found] == ["", "Steps"]
