from __future__ import annotations

from opspilot.presentation.differences import Line, Piece, changes


def _kinds(lines: list[Line]) -> list[str]:
    return [line.kind for line in lines]


def test_equal_texts_have_no_difference() -> None:
    assert changes("a\nb", "a\nb") == []


def test_two_empty_texts_have_no_difference() -> None:
    assert changes("", "") == []


def test_a_new_text_is_all_added() -> None:
    assert _kinds(changes("", "a\nb")) == ["added", "added"]


def test_a_text_taken_away_is_all_removed() -> None:
    assert _kinds(changes("a\nb", "")) == ["removed", "removed"]


def test_a_changed_line_is_shown_before_and_after() -> None:
    assert [(line.kind, line.text) for line in changes("pause 5 min", "pause 10 min")] == [
        ("removed", "pause 5 min"),
        ("added", "pause 10 min"),
    ]


def test_only_the_changed_words_are_marked() -> None:
    removed, added = changes("espere 5 minutos", "espere 10 minutos")
    assert removed.pieces == (Piece("espere "), Piece("5", True), Piece(" minutos"))
    assert added.pieces == (Piece("espere "), Piece("10", True), Piece(" minutos"))


def test_lines_with_nothing_in_common_have_no_marked_words() -> None:
    removed, _added = changes("pause o produtor agora", "xyz")
    assert removed.pieces == (Piece("pause o produtor agora"),)


def test_equal_lines_around_a_change_are_kept_and_the_rest_counted() -> None:
    before = "\n".join("abcdefgh")
    after = before.replace("e", "E")
    lines = changes(before, after, context=1)
    assert _kinds(lines) == ["gap", "same", "removed", "added", "same", "gap"]
    assert [line.hidden for line in lines if line.kind == "gap"] == [3, 2]


def test_without_context_only_the_change_is_left() -> None:
    assert _kinds(changes("a\nb\nc", "a\nX\nc", context=0)) == ["gap", "removed", "added", "gap"]


def test_a_very_long_line_is_shown_whole() -> None:
    removed, added = changes("a " * 500, "a " * 499 + "b ")
    assert len(removed.pieces) == len(added.pieces) == 1


def test_joined_pieces_are_the_line_again() -> None:
    before, after = "um, dois  três!", "um, dois e três?"
    removed, added = changes(before, after)
    assert (removed.text, added.text) == (before, after)
