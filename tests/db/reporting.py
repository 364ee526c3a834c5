"""What an agent reports through the door, for tests: rows, their answers, and an approval behind one."""

from __future__ import annotations

import uuid
from typing import Any

from approvals.models import AgenteAprovacao
from audit.models import AgenteAcao
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import REASON, AtTheDoor, at_the_door
from tests.db import agents_asking
from tests.db.agents_asking import FIELDS, REFUND, SORTED


def a_door() -> AtTheDoor:
    """An agent that the policy lets sort by rule, and refund with an approval."""
    tenant = factories.a_tenant()
    agents_asking.a_policy(tenant)
    return at_the_door(tenant, slug="agente-a")


def a_row(**changes: Any) -> dict[str, Any]:
    return {
        "chave": uuid.uuid4().hex,
        "acao": SORTED,
        "correlacao_id": str(uuid.uuid4()),
        "resultado": "ok",
        "autorizacao": "regra",
    } | changes


def report(door: AtTheDoor, *rows: Any) -> list[dict[str, Any]]:
    answer = door.post("acoes", list(rows))
    assert answer.status == 200, answer.data
    lines: list[dict[str, Any]] = answer.data["linhas"]
    return lines


def codes(lines: list[dict[str, Any]]) -> list[tuple[int, str | None]]:
    return [(line["status"], line["codigo"]) for line in lines]


def the_row(door: AtTheDoor, answer: dict[str, Any]) -> AgenteAcao:
    with tenant_scope(door.tenant.pk):
        return AgenteAcao.objects.get(id=answer["id"])


def approved(door: AtTheDoor, **fields: object) -> dict[str, Any]:
    """A row that stands on an approval nobody has used yet."""
    said = {"acao": REFUND, "comando": FIELDS | fields, "justificativa": REASON}
    ref = door.post("aprovacoes", said).data["ref"]
    with tenant_scope(door.tenant.pk):
        proposal = AgenteAprovacao.objects.get(ref=ref)
    if proposal.estado == "pendente":
        factories.approve(proposal, factories.a_principal(door.tenant, Role.APROVADOR))
    return a_row(
        acao=REFUND, autorizacao="humana", aprovacao=str(ref), acao_hash=proposal.acao_hash,
        correlacao_id=str(proposal.correlacao_id),
    )  # fmt: skip
