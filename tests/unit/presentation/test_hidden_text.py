from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspilot.presentation import lookalikes
from opspilot.presentation.hidden_text import (
    Kind,
    invisible_count,
    is_ordinary,
    lookalike_count,
    segments,
)


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


@pytest.mark.parametrize(
    "word", ["\u0430\u0440\u0440\u04cf\u0435", "\u0421\u041e\u0421\u041e", "\u039d\u039f"]
)
def test_a_word_of_foreign_letters_that_all_look_latin_is_named(word: str) -> None:
    assert lookalike_count(f"abrir {word}.com") == len(word)


def test_short_words_of_a_text_in_another_language_are_left_alone() -> None:
    assert marks("\u043a\u0430\u043a \u0441\u0430\u043c \u0434\u043e\u043c") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("git\uff0flab", "U+FF0F FULLWIDTH SOLIDUS"),
        ("git\u2044lab", "U+2044 FRACTION SLASH"),
        ("\uff47itlab", "U+FF47 FULLWIDTH LATIN SMALL LETTER G"),
        ("host-00\uff17", "U+FF17 FULLWIDTH DIGIT SEVEN"),
        ("host-00\u0967", "U+0967 DEVANAGARI DIGIT ONE"),
        ("in\u2010c", "U+2010 HYPHEN"),
        ("co\ufb01ar", "U+FB01 LATIN SMALL LIGATURE FI"),
        ("\u0131nfra", "U+0131 LATIN SMALL LETTER DOTLESS I"),
        ("a\u0338b", "U+0338 COMBINING LONG SOLIDUS OVERLAY"),
        ("x\u05d0y", "U+05D0 HEBREW LETTER ALEF"),
    ],
)
def test_a_sign_that_passes_for_another_is_named(text: str, code: str) -> None:
    assert marks(text) == [code]


def test_signs_that_portuguese_writes_pass_for_nothing() -> None:
    assert lookalike_count("1ª via, 2º andar, 10 m², nº 3, ½, 5 µs; “a” – ‘b’ — …") == 0


def test_accents_piled_on_a_letter_are_named_from_the_third() -> None:
    assert len(marks("a\u0301\u0302\u0303\u0304")) == 2


@pytest.mark.parametrize("blank", [" " * 6000, "\u200b" * 6000, "\n" * 500])
def test_a_long_blank_is_counted_instead_of_drawn(blank: str) -> None:
    shown = list(segments(f"a{blank}/label", keep_breaks=True))
    assert [piece.code for piece in shown if piece.kind is Kind.INVISIBLE] == [
        f"U+{ord(blank[0]):04X} × {len(blank)}"
    ]
    assert shown[-1].text == "/label"


def test_the_indentation_of_code_is_no_long_blank() -> None:
    assert marks("se x:\n" + " " * 24 + "faz()\n\n\nfim", keep_breaks=True) == []


@given(st.text(max_size=40))
def test_the_pieces_joined_are_the_text_again(text: str) -> None:
    assert "".join(piece.text for piece in segments(text)) == text


@given(st.text(max_size=40))
def test_no_format_or_control_character_stays_in_a_plain_piece(text: str) -> None:
    plain = "".join(piece.text for piece in segments(text) if piece.kind is Kind.PLAIN)
    assert not [char for char in plain if unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"}]


def test_no_ordinary_character_is_invisible_or_passes_for_another() -> None:
    ordinary = "".join(char for char in map(chr, range(0x3000)) if is_ordinary(char))
    assert "é" in ordinary
    assert lookalikes.positions(ordinary) == frozenset()
    assert {unicodedata.category(char)[0] for char in ordinary} <= set("LNPS") | {"Z"}
    assert [char for char in ordinary if unicodedata.category(char) == "Zs"] == [" "]


@pytest.mark.parametrize("text", [" " * 40, "a" + "\n" * 20, "a\tb", "a\u200bb", "pаypal"])
def test_a_text_that_has_to_be_looked_at_is_not_ordinary(text: str) -> None:
    assert not is_ordinary(text, keep_breaks=True)


def test_a_line_break_is_ordinary_only_where_it_is_drawn() -> None:
    assert is_ordinary("a\nb", keep_breaks=True)
    assert not is_ordinary("a\nb")
