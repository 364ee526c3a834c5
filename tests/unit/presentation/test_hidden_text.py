from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspilot.presentation.hidden_text import Kind, invisible_count, segments


def marks(text: str, *, keep_breaks: bool = False) -> list[str]:
    pieces = segments(text, keep_breaks=keep_breaks)
    return [piece.code for piece in pieces if piece.kind is not Kind.PLAIN]


@pytest.mark.parametrize(
    "code",
    [
        0x00A0,
        0x00AD,
        0x034F,
        0x061C,
        0x115F,
        0x180E,
        0x2003,
        0x200B,
        0x200D,
        0x202E,
        0x2028,
        0x2066,
        0x2800,
        0x3164,
        0xFE0F,
        0xFEFF,
        0xE0041,
        0xE0100,
        0x0007,
        0x000D,
        0x001B,
        0x0085,
    ],
)
def test_each_kind_of_unseen_character_is_named(code: int) -> None:
    assert marks(f"a{chr(code)}b", keep_breaks=True) == [f"U+{code:04X}"]


def test_newline_and_tab_are_shown_where_nothing_draws_them() -> None:
    assert marks("a\n\tb") == ["U+000A", "U+0009"]
    assert marks("a\n\tb", keep_breaks=True) == []


def test_ordinary_portuguese_has_no_mark() -> None:
    assert marks("Ação: religação às 14h — “não” já, R$ 1.234,56 (µs)") == []


def test_a_cyrillic_letter_inside_a_latin_word_is_named() -> None:
    assert marks("p\u0430gamentos") == ["U+0430 CYRILLIC SMALL LETTER A"]


def test_a_greek_letter_inside_a_latin_word_is_named() -> None:
    assert marks("c\u03bfnta") == ["U+03BF GREEK SMALL LETTER OMICRON"]


def test_a_word_wholly_in_another_alphabet_is_left_alone() -> None:
    assert marks("Москва e Αθήνα") == []


def test_only_unseen_characters_are_counted() -> None:
    assert invisible_count("a\u200b\nb\u202ec p\u0430g") == 2


@given(st.text(max_size=40))
def test_the_pieces_joined_are_the_text_again(text: str) -> None:
    assert "".join(piece.text for piece in segments(text)) == text


@given(st.text(max_size=40))
def test_no_format_or_control_character_stays_in_a_plain_piece(text: str) -> None:
    plain = "".join(piece.text for piece in segments(text) if piece.kind is Kind.PLAIN)
    assert not [char for char in plain if unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"}]
