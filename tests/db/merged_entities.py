"""Entries of the registry for tests: new ones, and what compliance decides about them."""

from __future__ import annotations

import uuid

from audit import entities
from audit.entities import Document
from audit.models import Entity
from audit.registry import acts
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from tests import factories

REASON = "mesmo cliente, dois documentos"


def a_customer(tenant: Tenant) -> Entity:
    """Needs the tenant's scope open."""
    return Entity.objects.create(
        tenant_id=tenant.pk, type="cliente", title="CPF ***", document_hash=uuid.uuid4().hex
    )


def fill(principal: Principal, document: Document) -> None:
    """A customer with an event, in the open scope."""
    found = entities.resolve(principal=principal, document=document, correlation_id=uuid.uuid4())
    tenant = Tenant.objects.get(pk=principal.tenant_id)
    keeper = factories.a_principal(tenant, Role.CONFORMIDADE)
    acts.merge(principal=keeper, entity=a_customer(tenant), into=found, reason=REASON)
