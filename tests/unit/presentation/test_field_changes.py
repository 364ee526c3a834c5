from __future__ import annotations

from opspilot.presentation.field_changes import FieldChange, compare
from opspilot.presentation.shapes import FrozenField


def field(label: str, value: str | list[str]) -> FrozenField:
    return FrozenField(label, value)


def test_equal_lists_have_no_change_and_name_every_field() -> None:
    fields = [field("Título", "a"), field("Etiquetas", ["x", "y"])]
    found = compare(fields, fields)
    assert (found.changed, found.same) == ((), ("Título", "Etiquetas"))


def test_labels_are_compared_as_sets() -> None:
    found = compare([field("Etiquetas", ["a", "b"])], [field("Etiquetas", ["c", "b"])])
    assert found.changed == (FieldChange("Etiquetas", (), ("c",), ("a",)),)


def test_the_order_of_labels_is_no_change() -> None:
    found = compare([field("Etiquetas", ["a", "b"])], [field("Etiquetas", ["b", "a"])])
    assert found.changed == ()


def test_a_text_is_compared_by_words_inside_its_lines() -> None:
    old = field("Título", "Rever os limites do alerta de disco")
    new = field("Título", "Rever os limites do alerta de fila")
    (change,) = compare([old], [new]).changed
    marked = ["".join(p.text for p in line.pieces if p.changed) for line in change.lines]
    assert marked == ["disco", "fila"]


def test_a_field_that_only_one_has_is_a_change() -> None:
    found = compare([field("Host", "a")], [field("Limite", "b")])
    assert {change.label for change in found.changed} == {"Host", "Limite"}


def test_a_list_that_became_empty_loses_what_it_had() -> None:
    (change,) = compare([field("Responsáveis", ["a"])], [field("Responsáveis", [])]).changed
    assert (change.removed, change.added) == (("a",), ())


def test_texts_that_differ_only_in_how_a_line_ends_still_differ() -> None:
    (change,) = compare([field("Descrição", "a\nb")], [field("Descrição", "a\nb\n")]).changed
    assert change.lines


def test_of_a_long_difference_the_first_lines_are_shown_and_the_others_counted() -> None:
    old, new = "\n".join(f"a{n}" for n in range(300)), "\n".join(f"b{n}" for n in range(300))
    (change,) = compare([field("Descrição", old)], [field("Descrição", new)]).changed
    assert (len(change.lines), change.more) == (200, 400)


def test_texts_that_are_too_long_to_be_compared_are_said_to_differ() -> None:
    long = "uma linha qualquer\n" * 4_000
    (change,) = compare([field("Descrição", "curta")], [field("Descrição", long)]).changed
    assert (change.label, change.lines, change.more) == ("Descrição", (), 0)
