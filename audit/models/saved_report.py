"""A question somebody keeps under a name, and what each answer to it was: never the rows."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel


class Schedule(models.TextChoices):
    NONE = "", _("só quando pedido")
    DAILY = "diario", _("todo dia")
    WEEKLY = "semanal", _("toda segunda-feira")
    MONTHLY = "mensal", _("todo dia 1º do mês")


class ReportState(models.TextChoices):
    ACTIVE = "ativo", _("ativo")
    PAUSED = "pausado", _("pausado")
    RESTING = "descansa", _("em descanso")
    DELETED = "excluido", _("excluído")


class SavedReport(TenantModel):
    """A named query with its fields as they stand in an address: "7 dias" stays 7 dias.

    It runs in the owner's name and by the owner's roles of that moment. `next_at` is when the worker
    runs it; none while it rests, is paused, or only runs when asked.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    slug = models.CharField(max_length=60)
    address = models.JSONField(default=dict)
    shared_with = models.JSONField(default=list)
    owner = models.CharField(max_length=60)
    owner_name = models.CharField(max_length=80)
    schedule = models.CharField(
        max_length=8, choices=Schedule.choices, blank=True, default=Schedule.NONE.value
    )
    hour = models.PositiveSmallIntegerField(default=8)
    state = models.CharField(
        max_length=8, choices=ReportState.choices, default=ReportState.ACTIVE.value
    )
    created_at = models.DateTimeField(db_default=Now())
    next_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "saved_report"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="saved_report_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="saved_report_tenant_ref"),
        ]
        indexes = [
            models.Index(
                fields=["next_at"],
                name="saved_report_due",
                condition=models.Q(next_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SavedReportRun(TenantModel):
    """One answer. `lines`: the key and the digest of each row, where they are not too many; `code`
    instead of an answer: why there is none. `since`, `until`: what the answer covers."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    report = models.ForeignKey(
        SavedReport, models.PROTECT, related_name="runs", db_constraint=False, db_index=False
    )
    at = models.DateTimeField(db_default=Now())
    code = models.CharField(max_length=40, blank=True, default="")
    version = models.PositiveSmallIntegerField()
    rows = models.BigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    since = models.DateTimeField(null=True)
    until = models.DateTimeField(null=True)
    begins_later = models.BooleanField(default=False)
    lines = models.JSONField(null=True)
    before = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="+", db_constraint=False, db_index=False
    )
    is_same = models.BooleanField(null=True)
    entered = models.PositiveIntegerField(null=True)
    left = models.PositiveIntegerField(null=True)

    class Meta:
        db_table = "saved_report_run"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="saved_report_run_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="saved_report_run_tenant_ref"),
        ]
        indexes = [
            models.Index(fields=["tenant", "report", "-id"], name="saved_report_run_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.report_id} {self.sha256[:8]}"
