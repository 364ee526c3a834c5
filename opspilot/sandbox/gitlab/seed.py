"""The first content of an empty data folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from opspilot.sandbox.gitlab.model import Project, User
from opspilot.sandbox.gitlab.store import Store

_REPORTER = 20
_TEMPLATE = "## O que aconteceu\n\nDescreva o incidente.\n\n/label ~incidente\n"

DEFAULT: dict[str, Any] = {
    "bot": {"id": 900, "username": "opspilot-bot", "name": "opspilot-bot"},
    "users": [
        {"id": 318, "username": "plantao-pagamentos", "name": "Plantão de pagamentos"},
        {"id": 319, "username": "plantao-infra", "name": "Plantão de infraestrutura"},
        {"id": 418, "username": "plantao-redes", "name": "Plantão de redes"},
    ],
    "projects": [
        {
            "id": 412,
            "path": "aurora/infra",
            "labels": ["incidente", "runbook", "pagamentos", "prioridade::1", "prioridade::2"],
            "members": [318, 319],
            "template": _TEMPLATE,
        },
        {
            "id": 413,
            "path": "aurora/pagamentos",
            "labels": ["incidente", "pagamentos", "prioridade::1", "prioridade::2"],
            "members": [318, 319],
            "template": _TEMPLATE,
        },
        {
            "id": 512,
            "path": "boreal/redes",
            "labels": ["incidente", "rede"],
            "members": [418],
            "template": _TEMPLATE,
        },
        {
            "id": 513,
            "path": "boreal/atendimento",
            "labels": ["incidente", "atendimento"],
            "members": [418],
            "template": _TEMPLATE,
        },
    ],
    "moved": [
        {"path": "aurora/infra-antiga", "project_id": 412},
        {"path": "boreal/redes-antigas", "project_id": 512},
    ],
}


def read_seed(path: Path | None) -> dict[str, Any]:
    if path is None:
        return DEFAULT
    seed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return seed


def sow(store: Store, seed: dict[str, Any]) -> None:
    """Empties the store and writes the seed; the caller holds the transaction."""
    store.clear()
    store.put_user(User(**seed["bot"], bot=True))
    for user in seed["users"]:
        store.put_user(User(**user))
    for project in seed["projects"]:
        _sow_project(store, dict(project), bot_id=seed["bot"]["id"])
    for moved in seed.get("moved", []):
        store.put_moved_path(moved["path"], moved["project_id"])
    store.put_value("seeded", True)


def _sow_project(store: Store, values: dict[str, Any], *, bot_id: int) -> None:
    labels, members = values.pop("labels", []), values.pop("members", [])
    hidden = values.pop("hidden_from_bot", False)
    project = Project(**values)
    store.put_project(project)
    for name in labels:
        store.add_label(project.id, name)
    for user_id in members if hidden else [bot_id, *members]:
        store.put_member(project.id, user_id, _REPORTER)
