"""Reading an agent's action is total: it never raises, guesses or drops anything unseen."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals import canonical
from approvals.agents import external_command
from approvals.agents.external_command import ExternalCommand

KIND = "estorno.emitido"


def read(fields: object) -> ExternalCommand:
    return external_command.read(kind=KIND, fields=fields)


def test_fields_come_by_name_and_texts_in_their_normal_form() -> None:
    command = read({"valor": 1200, "nota": "cobranc\u0327a\r\nem dobro  ", "vazio": None})
    assert command.fields == (("nota", "cobrança\nem dobro"), ("valor", 1200))
    assert command.unreadable == ()


@pytest.mark.parametrize(
    "value", [1.0, True, [1], {"a": 1}, "a\x00b", "\u001b[2J", "\ud800", "x" * 20_001, 10**15]
)
def test_what_has_no_single_meaning_is_named_and_left_out(value: Any) -> None:
    command = read({"valor": value, "nota": "ok"})
    assert (command.fields, command.unreadable) == ((("nota", "ok"),), ("valor",))


@pytest.mark.parametrize("fields", [None, [], "x", 3, {str(n): n for n in range(51)}])
def test_an_input_without_fields_is_named_as_a_whole(fields: object) -> None:
    assert read(fields) == ExternalCommand(KIND, unreadable=("campos",))


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_like)
def test_any_input_gives_a_command_whose_values_are_canonical(fields: object) -> None:
    command = read(fields)
    assert canonical.action_hash(dict(command.fields))


@given(st.dictionaries(st.text(), st.integers() | st.text(), max_size=5))
def test_reading_what_was_read_changes_nothing(fields: dict[str, Any]) -> None:
    once = read(fields)
    assert read(dict(once.fields)).fields == once.fields
