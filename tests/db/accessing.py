"""Who decides what, as these tests ask it."""

from __future__ import annotations

import datetime as dt

from approvals.deciders import access
from approvals.deciders.access import Person, Picture
from opspilot.acessos import owners
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope


def now(tenant: Tenant) -> dt.datetime:
    with tenant_scope(tenant.pk):
        return clock.now()


def picture(tenant: Tenant, at: dt.datetime | None = None) -> Picture:
    with tenant_scope(tenant.pk):
        return access.past(at=at) if at else access.now(owners=owners.registered())


def line_of(found: Picture, person: Principal) -> Person | None:
    return next((p for p in found.people if p.subject == person.subject), None)
