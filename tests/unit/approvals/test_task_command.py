"""A command that names template and target is read without a model, and nothing of it is lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.tasks import task_command
from approvals.tasks.task_command import TaskCommand, read

SEED = {"template_id": 123, "limit": "host-exemplo"}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=40)
    | st.text(st.characters(min_codepoint=0xD7FF, max_codepoint=0xE000), max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ["template_id", "template", "limit", "server_name", "server_action", "deploy_service", " limit"]
) | st.text(max_size=10)


def test_the_seed_s_command_is_explicit() -> None:
    found = read(SEED)
    assert (found.template_id, found.hosts, found.is_explicit) == (123, ("host-exemplo",), True)


def test_the_five_fields_of_the_deterministic_path_are_kept() -> None:
    found = read(
        {
            "template_id": "123",
            "limit": " HOST-1 ",
            "server_name": " api ",
            "server_action": "restart",
            "deploy_service": 7,
        }
    )
    assert found == TaskCommand(
        template_id=123,
        hosts=("host-1",),
        variables=(("deploy_service", "7"), ("server_action", "restart"), ("server_name", "api")),
    )


@pytest.mark.parametrize(
    ("given_", "missing"),
    [
        ({}, ("template_id", "limit")),
        ({"template_id": 0, "limit": " "}, ("template_id", "limit")),
        ({"template_id": None, "limit": None}, ("template_id", "limit")),
        ({"template_id": 123}, ("limit",)),
        ({"template_id": 123, "limit": []}, ("limit",)),
        ({"limit": "host-1"}, ("template_id",)),
        ({"template": "servico", "limit": "host-1"}, ()),
    ],
)
def test_a_half_explicit_command_says_what_is_missing(
    given_: dict[str, Any], missing: tuple[str, ...]
) -> None:
    assert read(given_).missing == missing


@pytest.mark.parametrize(
    ("given_", "unreadable"),
    [
        ({"template_id": True}, ("template_id",)),
        ({"template_id": 12.0}, ("template_id",)),
        ({"template_id": -1}, ("template_id",)),
        ({"template_id": "1e3"}, ("template_id",)),
        ({"template_id": "١٢"}, ("template_id",)),
        ({"template_id": 2**31}, ("template_id",)),
        ({"limit": {"host": "a"}}, ("limit",)),
        ({"limit": ["a", 1.5]}, ("limit",)),
        ({"server_action": ["restart"]}, ("server_action",)),
        ({"server_action": False}, ("server_action",)),
        ({"server_action": "\ud800"}, ("server_action",)),
        ({"server_action": "a" * 1001}, ("server_action",)),
        ({"limit": "a", " limit": "b"}, ("limit",)),
        ({7: "a"}, ("int",)),
        ("template_id=1", ("comando",)),
        (None, ("comando",)),
        ([SEED], ("comando",)),
        ({str(n): "a" for n in range(51)}, ("comando",)),
    ],
)
def test_what_cannot_be_read_is_named_and_never_mended(
    given_: object, unreadable: tuple[str, ...]
) -> None:
    assert read(given_).unreadable == unreadable


def test_a_misspelt_field_is_kept_as_a_variable_for_the_policy_to_refuse() -> None:
    found = read({"template_id": 1, "limits": "host-1"})
    assert (found.hosts, found.variables) == ((), (("limits", "host-1"),))


def test_a_list_is_each_of_its_hosts_and_a_blank_one_stays_to_be_refused() -> None:
    assert read({"limit": ["B", "a", "b", ""]}).hosts == ("", "a", "b")


@pytest.mark.parametrize(
    ("limit", "found"),
    [
        ("host-2, HOST-1", ("host-1", "host-2")),
        ("host-1,", ("", "host-1")),
        (",", ("",)),
        (["host-1,host-2"], ("host-1,host-2",)),
    ],
)
def test_commas_make_a_list_of_which_each_element_stands_for_itself(
    limit: object, found: tuple[str, ...]
) -> None:
    assert read({"limit": limit}).hosts == found


def test_a_command_is_read_again_from_its_own_fields() -> None:
    first = read({"template_id": 7, "limit": "a,b", "server_name": "api"})
    assert read(first.fields) == first


@pytest.mark.parametrize(
    ("asked", "same"),
    [
        ({"template_id": 7, "limit": "a"}, True),
        ({"template": "servico", "limit": ["a"]}, True),
        ({"template": "servico", "template_id": 7, "limit": "A"}, True),
        ({"template_id": 8, "limit": "a"}, False),
        ({"template_id": 7, "limit": "b"}, False),
        ({"template_id": 7, "limit": "a", "x": "y"}, False),
        ({"limit": "a"}, False),
    ],
)
def test_a_command_asks_for_what_was_resolved_by_alias_or_by_id(
    asked: dict[str, Any], same: bool
) -> None:
    resolved = read({"template": "servico", "template_id": 7, "limit": "a"})
    assert read(asked).is_of(resolved) is same


@given(JSON | st.dictionaries(NAMES | st.integers(), JSON, max_size=8))
def test_reading_never_fails_and_what_it_gives_can_be_shown(raw: object) -> None:
    found = read(raw)
    shown = (found.template, *found.hosts, *found.unreadable, *sum(found.variables, ()))
    "".join(shown).encode()
    assert found.template_id >= 0


@given(st.dictionaries(NAMES, st.text(max_size=40), max_size=8))
def test_no_text_that_was_given_is_dropped_in_silence(raw: dict[str, str]) -> None:
    found = read(raw)
    kept = {"template", "template_id", "limit", *dict(found.variables), *found.unreadable}
    assert {task_command._name(name) for name, text in raw.items() if text.strip()} <= kept
