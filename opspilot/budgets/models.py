"""What models may cost: limits, what is spent and held against them, and each reservation."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel


def _centavos(**values: Any) -> models.DecimalField[Any, Any]:
    return models.DecimalField(max_digits=18, decimal_places=6, **values)


class Scope(models.TextChoices):
    """In the order in which accounts are locked."""

    COMPANY = "company", _("a empresa, por mês")
    AGENT = "agent", _("um agente, por mês")
    RUN = "run", _("uma rodada")


class Limit(TenantModel):
    """Insert-only: of a scope and subject the newest row holds. Null centavos: no limit of its own."""

    scope = models.CharField(max_length=8, choices=Scope.choices)
    subject = models.CharField(max_length=80, default="", blank=True)  # an agent; else empty
    centavos = _centavos(null=True)
    reason = models.TextField()
    author = models.CharField(max_length=80)
    author_name = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "budget_limit"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="budget_limit_tenant_id"),
        ]
        indexes = [
            models.Index(fields=["tenant", "scope", "subject", "-id"], name="budget_limit_newest")
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.subject}: {self.centavos}"


class Account(TenantModel):
    """Of one scope in one period: `period` is a month (2026-11) or a run's ref."""

    scope = models.CharField(max_length=8, choices=Scope.choices)
    subject = models.CharField(max_length=80, default="", blank=True)
    period = models.CharField(max_length=36)
    reserved = _centavos(db_default=0)
    spent = _centavos(db_default=0)

    class Meta:
        db_table = "budget_account"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "scope", "subject", "period"], name="budget_account_key"
            ),
            models.CheckConstraint(
                name="budget_account_not_negative",
                condition=models.Q(reserved__gte=0, spent__gte=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.subject} {self.period}"


class ReservationState(models.TextChoices):
    HELD = "held"
    SETTLED = "settled"
    RETURNED = "returned"  # given back by an earlier release, when its caller had died


class Reservation(TenantModel):
    """Held before a model is called. Of a caller that died, all of it counts as spent once `until`
    has passed.

    What was settled is told once: by the row of the trail that carries it (`telling`). `known` says
    whether the provider told what it used; else `spent` is the dearest it could be.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    run_ref = models.UUIDField()
    agent = models.CharField(max_length=80)
    month = models.CharField(max_length=7)
    amount = _centavos()
    spent = _centavos(null=True)
    state = models.CharField(
        max_length=8, choices=ReservationState.choices, db_default=ReservationState.HELD
    )
    until = models.DateTimeField()
    created_at = models.DateTimeField(db_default=Now())
    known = models.BooleanField(null=True)
    tokens_in = models.IntegerField(db_default=0)
    tokens_out = models.IntegerField(db_default=0)
    settled_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "budget_reservation"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "ref"], name="budget_reservation_ref"),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "until"],
                name="budget_reservation_held",
                condition=models.Q(state="held"),
            ),
            models.Index(
                fields=["tenant", "run_ref"],
                name="budget_reservation_untold",
                condition=models.Q(settled_at__isnull=False, told_at__isnull=True),
            ),
            models.Index(fields=["tenant", "settled_at"], name="budget_reservation_settled"),
        ]

    def __str__(self) -> str:
        return f"{self.ref} {self.state}"
