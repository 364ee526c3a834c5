"""Standing permissions (`previa`): data, no workflow."""

from __future__ import annotations

import datetime as dt
import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from approvals.models.proposals import AgenteAprovacao
from opspilot.tenancy.models import TenantModel


class Period(models.TextChoices):
    """A window that ends now: no calendar, so no hour at which two days' uses meet."""

    DIA = "dia", _("24 horas")
    SEMANA = "semana", _("7 dias")
    MES = "mes", _("30 dias")


PERIOD_DAYS = {Period.DIA: 1, Period.SEMANA: 7, Period.MES: 30}


class StandingPermission(TenantModel):
    """One agent may have one kind of action approved beforehand, within limits, until a date.

    One admin proposes it and another confirms it; neither owns the agent. Any admin ends it. Only
    confirming and revoking change the row, each once.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    agent = models.CharField(max_length=60)
    agent_owner = models.CharField(max_length=80, default="", blank=True)
    kind = models.CharField(max_length=80)
    ceiling_centavos = models.BigIntegerField(null=True)  # of each use; null = no money in it
    max_uses = models.IntegerField()
    period = models.CharField(max_length=8, choices=Period.choices)
    period_uses = models.IntegerField()
    ends_at = models.DateTimeField()
    reason = models.TextField()
    proposed_by = models.CharField(max_length=80)
    proposed_name = models.CharField(max_length=80)
    proposed_at = models.DateTimeField(db_default=Now())
    confirmed_by = models.CharField(max_length=80, default="", blank=True)
    confirmed_name = models.CharField(max_length=80, default="", blank=True)
    confirmed_at = models.DateTimeField(null=True)
    revoked_by = models.CharField(max_length=80, default="", blank=True)
    revoked_name = models.CharField(max_length=80, default="", blank=True)
    revoked_reason = models.TextField(default="", blank=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "standing_permission"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="standing_permission_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "ref"], name="standing_permission_tenant_ref"
            ),
            models.CheckConstraint(
                condition=~models.Q(confirmed_by=models.F("proposed_by")),
                name="standing_permission_two_people",
            ),
            models.CheckConstraint(
                condition=~models.Q(agent_owner=models.F("proposed_by"))
                & (models.Q(confirmed_by="") | ~models.Q(agent_owner=models.F("confirmed_by"))),
                name="standing_permission_not_the_owner",
            ),
            models.CheckConstraint(
                condition=models.Q(max_uses__range=(1, 10_000))
                & models.Q(period_uses__gte=1)
                & models.Q(period_uses__lte=models.F("max_uses")),
                name="standing_permission_uses",
            ),
            models.CheckConstraint(
                condition=models.Q(ceiling_centavos__isnull=True)
                | models.Q(ceiling_centavos__gte=1),
                name="standing_permission_ceiling",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    ends_at__lte=models.F("proposed_at") + dt.timedelta(days=90),
                    ends_at__gt=models.F("proposed_at"),
                ),
                name="standing_permission_ends",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.agent} {self.kind}"


class StandingUse(TenantModel):
    """One proposal approved by a standing permission. Insert-only; the database counts."""

    permission = models.ForeignKey(
        StandingPermission, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    approval = models.ForeignKey(
        AgenteAprovacao, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    amount_centavos = models.BigIntegerField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "standing_use"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="standing_use_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "approval"], name="standing_use_once"),
        ]
        indexes = [models.Index(fields=["tenant", "permission", "at"], name="standing_use_of")]

    def __str__(self) -> str:
        return f"{self.permission_id} {self.approval_id}"
