"""Stops for tests, pressed and lifted through the product's own services."""

from __future__ import annotations

from typing import Any

from approvals.models import EmergencyStop, StopScope
from approvals.stops import stopping
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

REASON = "A fila está sendo reenviada em dobro."


def press(
    tenant: Tenant,
    *,
    scope: StopScope = StopScope.EMPRESA,
    subject: str = "",
    by: Principal | None = None,
    **values: Any,
) -> EmergencyStop:
    person = by or factories.a_principal(tenant, Role.APROVADOR)
    with tenant_scope(tenant.pk):
        return stopping.press(
            person=person, scope=scope, subject=subject, **{"reason": REASON} | values
        )


def lift(stop: EmergencyStop, *, by: Principal | None = None) -> None:
    with tenant_scope(stop.tenant_id):
        admin = by or factories.a_principal(stop.tenant, Role.ADMIN)
        stopping.lift(stop=stop, admin=admin, reason="O reenvio foi corrigido.")
