"""The first content of an empty data folder. It agrees with the demo company's policy."""

from __future__ import annotations

from typing import Any

from opspilot.sandbox.semaphore.model import Record, Settings, Task
from opspilot.sandbox.semaphore.store import Store

PROJECT = 4
INVENTORY = 1
_SOMEONE = 3
_TWO_DAYS = 172_800.0

# The made-up password stands for what real inventories hold: no reader of names may keep it.
_INVENTORY = """\
[pagamentos]
srv-pag-02
srv-pag-03

[medicao]
srv-med-01
srv-med-02

[barramento]
srv-bus-01

[api]
srv-api-04
srv-api-05

[exemplo]
host-[1:10]
host-11 simula_falha=true
host-12 ansible_connection=ssh ansible_host=127.0.0.1 ansible_port=1
app-01
app-02

[todos_os_servicos:children]
pagamentos
medicao
barramento
api

[all:vars]
ansible_connection=local
ansible_become_password=senha-inventada-do-inventario
"""
_YAML_INVENTORY = """\
all:
  children:
    exemplo:
      hosts:
        host-1:
        host-2:
          ansible_password: senha-inventada-do-inventario
  vars:
    ansible_connection: local
"""


def first_content(*, version: str = "2.18.0", player: str = "ansible") -> Record:
    return {
        "settings": {"version": version, "player": player},
        "projects": [{"id": PROJECT, "name": "Operações", "max_parallel_tasks": 0}],
        "inventories": [
            _inventory(INVENTORY, "Servidores", "static", _INVENTORY),
            _inventory(2, "Servidores em YAML", "static-yaml", _YAML_INVENTORY),
            _inventory(3, "Servidores do repositório", "file", "inventories/producao"),
        ],
        "templates": _templates(),
        "history": [21, 22, 25, 26],
    }


def sow(store: Store, first: Record) -> None:
    """Empties the store and writes the content; the caller holds the transaction."""
    store.clear()
    store.put_settings(Settings(**first["settings"]))
    for kind, name in (
        ("project", "projects"),
        ("inventory", "inventories"),
        ("template", "templates"),
    ):
        for record in first[name]:
            store.put(kind, record)
    for template_id in first.get("history", []):
        store.add_task(_earlier(store, template_id))
    store.put_value("seeded", True)


def _earlier(store: Store, template_id: int) -> Task:
    """Somebody's run of two days ago: a list that reaches back further than any attempt."""
    moment = store.clock.stamp(later=-_TWO_DAYS)
    return Task(
        PROJECT,
        template_id,
        _SOMEONE,
        created=moment,
        status="success",
        start=moment,
        end=moment,
        listed_from=moment,
    )


def _templates() -> list[Record]:
    action = _survey("server_action", "enum", values=["status", "restart"])
    service = _survey("deploy_service", "enum", values=["api-medicao", "portal-assinante"])
    return [
        _template(
            21, "Ação em um serviço", "acao-em-servico.yml", survey=[_survey("server_name"), action]
        ),
        _template(22, "Implantar um serviço", "implantar-servico.yml", survey=[service]),
        _template(23, "Coletar diagnóstico", "coletar-diagnostico.yml", allow_limit=False),
        _template(24, "Relatório de capacidade", "relatorio.sh", app="bash"),
        _template(25, "Pôr em manutenção", "por-em-manutencao.yml"),
        _template(26, "Tirar da manutenção", "tirar-da-manutencao.yml"),
        _template(27, "Coletar de todos", "coletar-diagnostico.yml", arguments='["--limit=all"]'),
        _template(28, "Coletar de um só", "coletar-diagnostico.yml", limit=["host-1"]),
    ]


def _survey(name: str, kind: str = "", *, values: list[str] | None = None) -> Record:
    choices = [{"name": value, "value": value} for value in values or []]
    return {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "required": True,
        "type": kind,
        "values": choices,
        "default_value": "",
    }


def _template(
    number: int,
    name: str,
    playbook: str,
    *,
    survey: list[Record] | None = None,
    allow_limit: bool = True,
    **changes: Any,
) -> Record:
    limit = changes.pop("limit", None)
    record: Record = {
        "id": number,
        "project_id": PROJECT,
        "name": name,
        "app": "ansible",
        "type": "",
        "playbook": playbook,
        "inventory_id": INVENTORY,
        "repository_id": 1,
        "environment_id": 1,
        "git_branch": None,
        "arguments": None,
        "description": "",
        "allow_override_args_in_task": False,
        "allow_override_branch_in_task": False,
        "allow_parallel_tasks": False,
        "survey_vars": survey or [],
        "task_params": _params(allow_limit, limit),
    }
    return record | changes


def _params(allow_limit: bool, limit: list[str] | None) -> Record:
    return {
        "allow_override_limit": allow_limit,
        "allow_override_inventory": False,
        "allow_override_tags": False,
        "allow_override_skip_tags": False,
        "allow_debug": False,
        "limit": limit,
        "tags": None,
        "skip_tags": None,
    }


def _inventory(number: int, name: str, kind: str, text: str) -> Record:
    return {
        "id": number,
        "name": name,
        "project_id": PROJECT,
        "type": kind,
        "inventory": text,
        "repository_id": None,
    }
