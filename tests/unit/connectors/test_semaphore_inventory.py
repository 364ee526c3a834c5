"""Host names out of an inventory's text, and nothing else of it."""

from __future__ import annotations

import pytest

from opspilot.connectors.semaphore_inventory import (
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
