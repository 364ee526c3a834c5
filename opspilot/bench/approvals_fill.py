"""Fills a company with proposals by SQL: what waits, what was decided, its effects and its trail."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection

from approvals import actions, drafts, policies, proposals
from opspilot.bootstrap.datadir import PROJECT
from opspilot.tenancy import sql
from opspilot.tenancy.models import Tenant, tenant_id_of
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_tenant

SQL = Path(__file__).parent / "fill"
POLICY = PROJECT / "approvals" / "fixtures" / "aurora.json"
BATCH = 10_000
# (project, coverage of the answer it rests on): of ten proposals six are of low risk, three of
# medium and one of high.
_KINDS = (
    *[("infra", "alta"), ("infra", "media"), ("infra", None)] * 2,
    ("pagamentos", "alta"),
    ("pagamentos", None),
    ("infra", "baixa"),
    ("pagamentos", "baixa"),
)
_TEXT = (
    "A fila passou de 500 mensagens e o consumidor não responde. Reiniciar o consumidor no host "
    "indicado, conferir no painel que a fila cai em dez minutos e registrar a hora do retorno. "
)


def company(slug: str) -> UUID:
    """The company of this slug; a new one gets the demonstration's policy."""
    tenant_id = tenant_id_of(slug)
    with tenant_scope(tenant_id):
        known = Tenant.objects.filter(pk=tenant_id).exists()
    if not known:
        create_tenant(slug=slug, name=slug)
        with tenant_scope(tenant_id):
            policies.install(document=json.loads(POLICY.read_text()), by="admin 1")
    return tenant_id


def models(tenant_id: UUID) -> list[int]:
    """The proposals that are copied: ten, by the service, each of about a kilobyte."""
    return [propose(tenant_id, number, *kind) for number, kind in enumerate(_KINDS)]


def fill(*, tenant_id: UUID, models: Sequence[int], waiting: int, decided: int) -> None:
    """As the application's role, in transactions of BATCH rows."""
    for name, count in (("waiting", waiting), ("decided", decided)):
        for first, last in _batches(count):
            _run(tenant_id, name, models=list(models), first=first, last=last)
    for name in ("second_votes", "effects", "lines"):
        _run(tenant_id, name)


def propose(tenant_id: UUID, number: int, alias: str, coverage: str | None) -> int:
    """An issue for this project, by the service; the proposal's id."""
    roles = frozenset({Role.OPERADOR})
    requester = Principal(tenant_id, "", 900_000, "operador 1", roles)
    command = {
        "alias": alias,
        "title": f"Reiniciar o consumidor {number} e conferir a fila",
        "description": _TEXT * 3,
        "labels": ("incidente",),
        "assignees": (),
    }
    with tenant_scope(requester.tenant_id):
        draft = drafts.prepare(
            principal=requester,
            run_id=uuid.uuid4(),
            command=actions.parse(command),
            coverage=coverage,
        )
        made = proposals.create(
            principal=requester,
            draft=draft,
            seen_hash=draft.hash,
            justification="A fila parou e clientes esperam.",
            entity=None,
            evidence=[],
        )
    return int(made.pk)


def _batches(count: int) -> Iterator[tuple[int, int]]:
    for first in range(1, count + 1, BATCH):
        yield first, min(first + BATCH - 1, count)


def _run(tenant_id: UUID, name: str, **parameters: Any) -> None:
    with tenant_scope(tenant_id), connection.cursor() as cursor:
        cursor.execute(sql.named(SQL / f"{name}.sql"), {"tenant_id": tenant_id, **parameters})
