"""What may leave as the start of a task, and what never does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from opspilot.connectors.semaphore_body import check


def body(*hosts: str, **more: Any) -> dict[str, Any]:
    named = hosts or ("srv-pag-02",)
    whole = {
        "template_id": 21,
        "params": {"limit": list(named)},
        "limit": ",".join(named),
        "environment": "{}",
        "message": "opk0123",
    }
    return whole | more


@pytest.mark.parametrize(
    "good",
    [
        body(),
        body("srv-pag-02", "srv-pag-03"),
        body("a"),
        body("web.example.com"),
        body(environment=json.dumps({"server_name": "fila", "vezes": 3})),
    ],
)
def test_a_plain_start_may_leave(good: dict[str, Any]) -> None:
    check(good)


HOSTS = [
    "", " ", ",", "*", "all", "ungrouped", "localhost", "!h", "~h", "a:b", "@file", "host*", "h[1:3]",
    "HOST-1", " host-1", "host-1 ", "host-1\n", "host 1", "host-1,host-2", "h&b", "h;b", "-h", "h-",
    ".h", "h.", "höst", "h\u200b", "\u212aelvin", "h" * 254, "{{ h }}", "$h", "h/..", "h\0",
]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_what_is_not_the_name_of_one_host_never_leaves(host: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        check(body(host))


@pytest.mark.parametrize(
    "more",
    [
        {"limits": "srv-pag-02"},
        {"playbook": "outro.yml"},
        {"secret": "{}"},
        {"debug": True},
        {"params": {"limit": ["srv-pag-02"], "tags": ["x"]}},
        {"params": {"limits": ["srv-pag-02"]}},
        {"params": {"limit": "srv-pag-02"}},
        {"params": {"limit": ["srv-pag-02", "srv-pag-02"]}, "limit": "srv-pag-02,srv-pag-02"},
        {"params": None},
        {"limit": ""},
        {"limit": "srv-pag-03"},
        {"limit": ["srv-pag-02"]},
        {"template_id": "21"},
        {"template_id": 0},
        {"template_id": True},
        {"message": ""},
        {"message": "opk\n"},
        {"message": "OPK"},
        {"message": "x" * 251},
        {"dry_run": True},
        {"params": {"limit": ["srv-pag-02"], "dry_run": True}},
        {"environment": ""},
        {"environment": "["},
        {"environment": "[]"},
        {"environment": "null"},
        {"environment": {}},
        {"environment": json.dumps({"lista": ["a"]})},
        {"environment": json.dumps({"sim": True})},
        {"environment": json.dumps({"com espaço": "a"})},
        {"environment": json.dumps({"ansible_connection": "local"})},
        {"environment": json.dumps({"ANSIBLE_HOST": "h"})},
        {"environment": json.dumps({"semaphore_vars": "h"})},
        {"environment": json.dumps({"inventory_hostname": "h"})},
        {"environment": json.dumps({"group_names": "h"})},
        {"environment": json.dumps({"hostvars": "h"})},
        {"environment": json.dumps({"valor": "{{ lookup('pipe', 'id') }}"})},
        {"environment": json.dumps({"valor": "{% raw %}"})},
    ],
)
def test_what_the_remote_might_read_otherwise_never_leaves(more: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        check(body(**more))


@pytest.mark.parametrize("name", ["template_id", "params", "limit", "message"])
def test_what_is_missing_never_leaves(name: str) -> None:
    whole = body()
    del whole[name]
    with pytest.raises(ValueError, match="validation error"):
        check(whole)


def test_the_refusal_does_not_repeat_a_value() -> None:
    with pytest.raises(ValueError, match="validation error") as caught:
        check(body(environment=json.dumps({"valor": "{{ segredo-inventado }}"})))
    assert "segredo-inventado" not in str(caught.value)
