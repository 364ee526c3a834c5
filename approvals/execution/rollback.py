"""What an older release must not touch: for the person who is about to run one again.

Code goes back, rows do not. Everything listed here waits for a person before the older release
starts; nothing is changed and nothing is deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from approvals import features
from approvals.execution import recovery
from approvals.models import AgenteAprovacao, Execution, PolicyVersion
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope

ASKED_AGAIN = "pedida_de_novo"
_ASKED_AGAIN_SINCE = 2  # 0.1.0 lets a person send the proposal before, too


@dataclass(frozen=True, slots=True)
class Blocker:
    """One row. `what` is proposal, asked_again or policy; `ref` a proposal's or a version number."""

    tenant: str
    what: str
    ref: str
    state: str
    version: int
    features: list[str]


def blockers(*, handler: int) -> list[Blocker]:
    """Everything a handler of this version must not touch, by tenant; empty = go back at will."""
    found = list(_proposals(handler))
    if handler < _ASKED_AGAIN_SINCE:
        found += _asked_again()
    return sorted([*found, *_policies(handler)], key=lambda item: (item.tenant, item.what))


def _proposals(handler: int) -> Iterator[Blocker]:
    """Pending; approved and not carried out; of unknown outcome."""
    for tenant_id, pk in _work("approval", handler):
        with tenant_scope(tenant_id):
            row = AgenteAprovacao.objects.get(pk=pk)
            execution = Execution.objects.filter(approval=row).first()
            version, needed = _rules(row, execution)
            yield Blocker(
                tenant=_slug(tenant_id),
                what="proposal",
                ref=str(row.ref),
                state=execution.state if execution else row.estado,
                version=version,
                features=features.unknown_to(needed, handler=handler),
            )


def _rules(row: AgenteAprovacao, execution: Execution | None) -> tuple[int, list[str]]:
    """What a handler must know: of the proposal, and of what became of its execution since."""
    if execution is None or execution.versao_esquema <= row.versao_esquema:
        return row.versao_esquema, row.recursos
    return execution.versao_esquema, [*row.recursos, features.RESEND]


def _asked_again() -> Iterator[Blocker]:
    """Asked again by another proposal, and still something a person could have sent."""
    for tenant_id, pk in _work("asked_again", 0):
        with tenant_scope(tenant_id):
            execution = Execution.objects.get(approval_id=pk)
            if recovery.can_resume(execution):
                row = AgenteAprovacao.objects.get(pk=pk)
                yield Blocker(
                    tenant=_slug(tenant_id),
                    what="asked_again",
                    ref=str(row.ref),
                    state=execution.state,
                    version=_ASKED_AGAIN_SINCE,
                    features=[ASKED_AGAIN],
                )


def _policies(handler: int) -> Iterator[Blocker]:
    """In force and not to be read by it: it would block every effect of the tenant for good."""
    for tenant_id, pk in _work("policy", handler):
        with tenant_scope(tenant_id):
            row = PolicyVersion.objects.get(pk=pk)
            needed = features.of_policy(row.document)
            unknown = features.unknown_to(needed, handler=handler)
            if unknown:
                yield Blocker(
                    tenant=_slug(tenant_id),
                    what="policy",
                    ref=str(row.number),
                    state="em vigor",
                    version=features.version_of(needed),
                    features=unknown,
                )


def _work(kind: str, handler: int) -> list[tuple[UUID, int]]:
    """Over all tenants (definer function); the rows themselves are read inside their tenants."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, id FROM rollback_work(%s, %s)", [kind, handler])
        return [(row[0], row[1]) for row in cursor.fetchall()]


def _slug(tenant_id: UUID) -> str:
    return Tenant.objects.get(pk=tenant_id).slug
