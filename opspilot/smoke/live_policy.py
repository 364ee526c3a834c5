"""For the throw-away instance of a live run: a policy of one real project and nothing else."""

from __future__ import annotations

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
    with tenant_scope(tenant_id_of(TENANT)):
        document = dict(policies.version_in_force().document)
        changed = {"projects": {ALIAS: project}, "tarefa_executada": None, "calendario": None}
        policies.install(document=document | changed, by="live_smoke")
