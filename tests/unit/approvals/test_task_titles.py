"""A task's title is its template, its values and its hosts, in one line."""

from __future__ import annotations

from typing import Any

from approvals.inbox import wording

TASK: dict[str, Any] = {
    "kind": "tarefa.executada",
    "alias": "servico-acao",
    "target": {"template_name": "Ação em um serviço"},
    "variables": {"server_name": "liq-worker-3", "server_action": "restart"},
    "hosts": ["srv-pag-02"],
}


def test_a_task_is_named_by_its_template_its_values_and_its_host() -> None:
    title = "Ação em um serviço (restart, liq-worker-3) em srv-pag-02"
    assert wording.sentence_of(TASK) == title


def test_a_task_without_variables_has_no_brackets() -> None:
    assert wording.sentence_of(TASK | {"variables": {}}) == "Ação em um serviço em srv-pag-02"


def test_a_title_stays_one_line() -> None:
    long = TASK | {"variables": {"a": "x" * 255}, "hosts": [f"srv-{n:060d}" for n in range(20)]}
    title = wording.sentence_of(long)
    assert title.endswith("…")
    assert len(title) < 280


def test_an_altered_task_still_has_a_title() -> None:
    assert wording.sentence_of({"kind": "tarefa.executada", "variables": 7}) == "? em ?"
