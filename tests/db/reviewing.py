"""A sample of the trail for tests, and at least one row in each table of the guard."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.utils import timezone

from audit import trail
from audit.guard.kinds import Kind
from audit.models import TrailReview
from audit.review import sampling
from audit.review.sampling import Found
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories


def an_entry(**values: Any) -> trail.Entry:
    given: dict[str, Any] = {
        "correlacao_id": uuid.uuid4(),
        "acao": "conhecimento.consultado",
        "resultado": Result.OK,
        "autorizacao": Authorization.REGRA,
    }
    return trail.Entry(**(given | values))


def a_review(person: Principal, **values: Any) -> TrailReview:
    """Of today and yesterday; needs the scope of the company."""
    today = timezone.localdate()
    return sampling.draw(person=person, first=today - dt.timedelta(days=1), last=today, **values)


def fill(tenant: Tenant) -> None:
    reader = factories.a_principal(tenant, Role.AUDITOR)
    with tenant_scope(tenant.pk):
        trail.record(an_entry(saida_resumo="token=abc123def"))
        review = a_review(reader)
        found = {review.rows[0]: Found(Kind.TERMO, "projeto zeta")}
        sampling.finish(person=reader, review=review, found=found)
