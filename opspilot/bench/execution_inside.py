"""The half of `bench execution` that runs as the application itself, in the throw-away instance.

Not a management command: it has proposals approved by nobody, which no company should meet by a slip.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any
from uuid import UUID

import django

LOW, MEDIUM = "infra", "pagamentos"  # projects of the demonstration's policy: no hold, ten seconds


def main(arguments: list[str]) -> None:
    """approve SLUG PROJECT COUNT SECONDS_BETWEEN; ends with one JSON object: the executions' ids.
    What is imported in the functions needs Django to be set up first."""
    django.setup()
    slug, project, count, pause = arguments
    found = _approve(slug, project, count=int(count), pause=float(pause))
    sys.stdout.write(json.dumps(found) + "\n")


def _approve(slug: str, project: str, *, count: int, pause: float) -> dict[str, Any]:
    from opspilot.bench import approvals_decisions, approvals_fill

    tenant_id = approvals_fill.company(slug)
    (approver,) = approvals_decisions.approvers(tenant_id, 1)
    made = []
    for number in range(count):
        made.append(_one(tenant_id, approver, project, number))
        time.sleep(pause)
    return {"executions": made}


def _one(tenant_id: UUID, approver: Any, project: str, number: int) -> int:
    from approvals.models import AgenteAprovacao, Execution
    from opspilot.bench import approvals_decisions, approvals_fill
    from opspilot.queue import wake
    from opspilot.tenancy.scope import tenant_scope

    key = approvals_fill.propose(tenant_id, number, project, "alta")
    with tenant_scope(tenant_id):
        proposal = AgenteAprovacao.objects.get(pk=key)
        approvals_decisions.by_service(approver, proposal)
        wake("execution")
        return int(Execution.objects.get(approval=key).pk)


if __name__ == "__main__":
    main(sys.argv[1:])
