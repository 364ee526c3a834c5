"""The ways to ask for a task, as people and agents use them."""

from __future__ import annotations

import re
from typing import Any

from approvals.models import AgenteAprovacao
from opspilot.harness.models import Run
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tasking
from tests.db.browsing import Browser
from tests.db.task_runner import FakeRunner

WHY = "A fila de liquidação parou e clientes esperam."
FIELDS = {
    "template_id": "21",
    "limit": "srv-pag-02",
    "server_name": "liq-worker-3",
    "server_action": "restart",
}
WORDS = " ".join(f"{name}={value}" for name, value in FIELDS.items())
SLUG = "monitor-de-filas"


def by_form(person: Browser, **changes: str) -> str:
    return person.send(
        "/rodadas/tarefa/", **(FIELDS | {"justificativa": WHY, "cliente": ""} | changes)
    )


def pasted(person: Browser, text: str) -> str:
    return person.send("/perguntar/enviar/", pergunta=text)


def runs(tenant: Tenant) -> list[Run]:
    with tenant_scope(tenant.pk):
        return list(Run.objects.order_by("id"))


def proposals(tenant: Tenant) -> list[AgenteAprovacao]:
    with tenant_scope(tenant.pk):
        return list(AgenteAprovacao.objects.order_by("id"))


def asked(**changes: Any) -> dict[str, Any]:
    return {"acao": "tarefa.executada", "comando": FIELDS | changes, "justificativa": WHY}


def read_template(tenant: Tenant, **changes: Any) -> None:
    tasking.a_reading(tenant.pk, runner=FakeRunner(**changes))


def confirmed(person: Browser, run: Run) -> str:
    """The review page, and the click on it."""
    page = person.read(f"/rodadas/{run.ref}/confirmar/")
    found = re.search(r'name="acao_hash" value="([0-9a-f]{64})"', page)
    assert found, page
    return person.send(f"/rodadas/{run.ref}/confirmar/", acao_hash=found[1])


def a_company() -> Tenant:
    """Its policy lets the agent SLUG run the seed's first template."""
    tenant = factories.a_tenant()
    tasking.a_policy(tenant, templates=tasking.templates("servico-acao", agents=[SLUG]))
    return tenant
