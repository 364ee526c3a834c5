from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from approvals.inbox import fields

ISSUE: dict[str, Any] = {
    "schema": 1, "kind": "issue.criada", "tenant": "t", "requester": "usuario:1",
    "target": {
        "system": "gitlab", "host": "https://git.example", "project_id": 412,
        "project_path": "aurora/infra",
    },
    "alias": "infra", "title": "Título", "description": "Texto", "labels": ["incidente"],
    "assignees": [{"name": "plantao", "id": 319}], "confidential": False,
}  # fmt: skip
TASK: dict[str, Any] = {
    "schema": 1, "kind": "tarefa.executada", "tenant": "t", "requester": "usuario:1",
    "target": {"project_id": 1, "template_id": 9, "fingerprint": "abc"},
    "alias": "reinicio", "hosts": ["host-007"], "variables": {"server_action": "restart"},
}  # fmt: skip
EXTERNAL: dict[str, Any] = {
    "schema": 1, "kind": "estorno.emitido", "tenant": "t", "requester": "agente:cobranca",
    "executor": "agente", "authorization": "humana",
    "fields": {
        "valor": {"type": "centavos", "value": 12345},
        "cliente": {"type": "texto", "value": "c-1"},
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def portuguese() -> Any:
    with translation.override("pt-br"):
        yield


def labels(action: dict[str, Any]) -> list[str]:
    return [field.label for field in fields.of(action, "opk1")]


def test_an_issue_is_read_in_the_order_of_its_schema() -> None:
    assert labels(ISSUE) == [
        "Tipo", "Endereço", "Projeto", "Título", "Descrição", "Etiquetas", "Responsáveis",
        "Confidencial", "Marcador",
    ]  # fmt: skip


def test_a_field_nobody_foresaw_is_shown_and_not_dropped() -> None:
    shown = {f.label: f.value for f in fields.of(ISSUE | {"weight": {"a": 1}}, "opk1")}
    assert shown["weight"] == '{"a": 1}'


def test_a_task_shows_template_hosts_and_every_variable() -> None:
    shown = {field.label: field.value for field in fields.of(TASK, "opk1")}
    assert shown["Hosts"] == ["host-007"]
    assert shown["server_action"] == "restart"
    assert shown["Impressão do template"] == "abc"


def test_money_is_shown_as_money_and_to_the_centavo() -> None:
    money = next(f for f in fields.of(EXTERNAL, "") if f.label == "valor")
    assert "123,45" in str(money.value)
    assert "12345 centavos" in money.note


def test_fields_of_an_agents_own_action_come_by_name() -> None:
    assert labels(EXTERNAL) == ["Tipo", "cliente", "valor"]


@pytest.mark.parametrize("action", [{"kind": "foguete.lancado"}, {}, [], "texto"])
def test_an_action_of_a_kind_nobody_knows_has_no_fields_here(action: Any) -> None:
    assert not fields.is_known(action)
    assert fields.of(action, "") == []
