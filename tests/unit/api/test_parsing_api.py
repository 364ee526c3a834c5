"""Bodies at the agents' door: one reading each, or none."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspilot.api import parsing
from opspilot.api.errors import UnreadableBodyError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_refused(raw: bytes) -> None:
    with suppress(UnreadableBodyError):
        assert isinstance(parsing.read_object(raw), dict)


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=5))
def test_what_is_read_is_what_was_written_and_can_be_stored(said: dict[str, Any]) -> None:
    raw = json.dumps(said).encode()
    storable = b"\\u0000" not in raw
    try:
        found = parsing.read_object(raw)
    except UnreadableBodyError:
        assert not storable
    else:
        assert found == said
        assert "\x00" not in json.dumps(found, ensure_ascii=False)


@pytest.mark.parametrize("levels", [1, parsing.MAX_DEPTH - 2])
def test_a_body_as_deep_as_allowed_is_read(levels: int) -> None:
    raw = b'{"a": ' + b"[" * levels + b"]" * levels + b"}"
    assert parsing.read_object(raw)


def test_a_body_one_level_deeper_is_refused() -> None:
    levels = parsing.MAX_DEPTH
    with pytest.raises(UnreadableBodyError):
        parsing.read_object(b'{"a": ' + b"[" * levels + b"]" * levels + b"}")


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "x\udfffy"])
def test_a_text_that_no_page_and_no_table_can_hold_is_known(text: str) -> None:
    assert not parsing.is_text(text)


def test_letters_beyond_the_first_plane_are_texts() -> None:
    assert parsing.is_text("fila 🚚 parada")
