"""Host names out of an inventory's text, and nothing else of it."""

from __future__ import annotations

import pytest

from opspilot.connectors.semaphore_inventory import (
    MAX_STEPS,
    MAX_TEXT,
    UnreadableInventoryError,
    from_ini,
    from_yaml,
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", set()),
        ("host-1\nhost-2\n", {"host-1", "host-2"}),
        ("# host-9\n; host-8\n\nhost-1\n", {"host-1"}),
        ("[web]\nhost-1 ansible_password=segredo ansible_port=22\n", {"host-1"}),
        ("[web]\nhost-1:2222\n", {"host-1"}),
        ("[web:vars]\nansible_password=segredo\n[db]\nhost-2\n", {"host-2"}),
        ("[tudo:children]\nweb\ndb\n[db]\nhost-2\n", {"host-2"}),
        ("[web] # os da frente\nhost-1\n", {"host-1"}),
        ("host-[1:3]\n", {"host-1", "host-2", "host-3"}),
        ("host-[08:10].x\n", {"host-08.x", "host-09.x", "host-10.x"}),
        ("host-[1:5:2]\n", {"host-1", "host-3", "host-5"}),
        ("db-[a:c]\n", {"db-a", "db-b", "db-c"}),
        ("r[1:2]h[1:2]\n", {"r1h1", "r1h2", "r2h1", "r2h2"}),
        ('"host-1" x=1\n', {"host-1"}),
    ],
)
def test_the_names_of_an_ini_inventory(text: str, names: set[str]) -> None:
    assert from_ini(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", set()),
        (
            "all:\n  hosts:\n    host-1:\n    host-2: {ansible_password: segredo}\n",
            {"host-1", "host-2"},
        ),
        ("all:\n  children:\n    web:\n      hosts: {'host-[1:2]': null}\n", {"host-1", "host-2"}),
        ("web:\n  hosts: {host-1: null}\n  vars: {hosts: {x: 1}}\n", {"host-1"}),
        ("all:\n  hosts: host-1\n", set()),
        ("- host-1\n", set()),
    ],
)
def test_the_names_of_a_yaml_inventory(text: str, names: set[str]) -> None:
    assert from_yaml(text) == names


def test_a_text_that_is_no_yaml_is_not_quoted() -> None:
    with pytest.raises(UnreadableInventoryError) as caught:
        from_yaml("senha: [segredo-inventado")
    assert "segredo" not in repr(caught.value)
    assert caught.value.__cause__ is None


def test_an_inventory_of_more_hosts_than_we_read_is_refused() -> None:
    with pytest.raises(UnreadableInventoryError):
        from_ini("host-[1:9999999]\n")


@pytest.mark.parametrize(
    "text",
    [
        "web[0:999999999][5:1]\n",
        f"web[0:{'9' * 5000}]\n",
        "[1:1]" * 1000,
        "h[1:1]\n" * (MAX_STEPS // 2 + 1),
        "#" * (MAX_TEXT + 1),
    ],
    ids=["empty-inner-range", "long-number", "many-ranges", "many-steps", "long-text"],
)
def test_an_ini_text_that_would_take_for_ever_is_refused(text: str) -> None:
    with pytest.raises(UnreadableInventoryError):
        from_ini(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a {hosts: {x: null}}\nb: {children: {c: *a}}\n",
        "a: &a {hosts: {x: null}}\n",
        "[" * 10_000,
        "a: " + "[" * 60 + "]" * 60,
        f"a: [{'x,' * MAX_STEPS}]",
        "a: \ud800",
        "#" * (MAX_TEXT + 1),
    ],
    ids=["alias", "anchor", "open", "deep", "wide", "half-a-pair", "long-text"],
)
def test_a_yaml_text_that_would_take_for_ever_is_refused(text: str) -> None:
    with pytest.raises(UnreadableInventoryError):
        from_yaml(text)


def test_a_sign_that_is_only_like_a_digit_makes_no_range() -> None:
    assert from_ini("web[0:\u00b2]\n") == {"web[0:\u00b2]"}


def test_a_number_or_a_tag_of_yaml_is_the_word_that_it_is() -> None:
    text = f"all:\n  hosts:\n    01: {{n: {'9' * 5000}, senha: !vault x}}\n    no:\n"
    assert from_yaml(text) == {"01", "no"}
