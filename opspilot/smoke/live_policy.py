"""For the throw-away instance of a live run: a policy of one real project, or of one real template on
one host, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from approvals import policies
from opspilot.connectors import readers
from opspilot.smoke.cast import TENANT
from opspilot.tenancy.models import tenant_id_of
from opspilot.tenancy.scope import tenant_scope

ALIAS = "ao-vivo"


def put(*, project_id: int) -> None:
    """In force at once, without two admins: the instance lives for minutes and belongs to nobody."""
    path = readers.gitlab_reader().project(project_id).path
    project = {
        "project_id": project_id,
        "path": path,
        "labels": [],
        "assignees": {},
        "risk": "baixo",
    }
    _install(lambda document: {"projects": {ALIAS: project}, "tarefa_executada": None})


def put_task(*, project_id: int, template_id: int, host: str, variables: Mapping[str, str]) -> None:
    """As `put`: each variable may have the one value that was asked for."""
    template = {
        "template_id": template_id,
        "project_id": project_id,
        "name": ALIAS,
        "hosts": [host],
        "variables": {
            name: {"required": True, "values": [value]} for name, value in variables.items()
        },
        "risk": "baixo",
    }
    hold = {"baixo": 0, "medio": 10, "alto": 30}

    def changed(document: Mapping[str, Any]) -> dict[str, Any]:
        rule = {**document["tarefa_executada"], "hold_seconds": hold}
        return {"projects": {}, "tarefa_executada": rule | {"templates": {ALIAS: template}}}

    _install(changed)


def _install(change: Callable[[Mapping[str, Any]], dict[str, Any]]) -> None:
    with tenant_scope(tenant_id_of(TENANT)):
        document = dict(policies.version_in_force().document)
        document |= {**change(document), "calendario": None}
        policies.install(document=document, by="live_smoke")
