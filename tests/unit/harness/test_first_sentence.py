"""A prepared command's justification is the first sentence or line of its request, in whole words."""

from __future__ import annotations

import pytest

from opspilot.harness import services
from opspilot.harness.running.preparing import MAX_WHY, first_sentence

LONG = "reinicie " * 60


@pytest.mark.parametrize(
    ("request_text", "first"),
    [
        ("A fila parou. Reinicie o worker.", "A fila parou."),
        ("A fila parou\nERROR 10:02 timeout", "A fila parou"),
        ("A fila parou?! Reinicie.", "A fila parou?!"),
        ("Reinicie o 10.0.0.1 agora", "Reinicie o 10.0.0.1 agora"),
        ("  \n A fila parou", "A fila parou"),
        ("", ""),
    ],
)
def test_the_first_sentence_or_line_is_taken(request_text: str, first: str) -> None:
    assert first_sentence(request_text) == first


def test_a_longer_one_is_cut_at_the_end_of_a_word() -> None:
    cut = first_sentence(LONG)
    assert MAX_WHY - len("reinicie ") < len(cut) <= MAX_WHY
    assert set(cut.split(" ")) == {"reinicie"}


def test_a_word_that_ends_at_the_limit_is_whole() -> None:
    assert first_sentence("a" * MAX_WHY + " b") == "a" * MAX_WHY


def test_one_word_longer_than_the_limit_is_no_reason() -> None:
    assert first_sentence("a" * (MAX_WHY + 1)) == ""


def test_a_reason_of_several_lines_has_one_sign_at_each_line_s_end() -> None:
    assert services.written(" parou\r\nàs 6h \r\n") == "parou\nàs 6h"
