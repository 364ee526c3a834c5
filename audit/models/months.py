"""How long the trail is kept and why, what must be kept longer, and what is left of a month that
went: rows that are only ever added."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel

MAX_MONTHS = 600


class TrailRetention(TenantModel):
    """How many months the company keeps its rows, on what written basis. It is in force once
    another admin activated it, and until a later one is."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    months = models.PositiveSmallIntegerField()
    basis = models.CharField(max_length=500)
    reason = models.CharField(max_length=1000)
    author = models.CharField(max_length=80)
    author_name = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "trail_retention"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="trail_retention_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="trail_retention_tenant_ref"),
            models.CheckConstraint(
                name="trail_retention_months", condition=Q(months__gte=1, months__lte=MAX_MONTHS)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.months} months"


class TrailRetentionActivation(TenantModel):
    """The second admin's act; the database refuses the first one's."""

    retention = models.ForeignKey(
        TrailRetention, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    admin = models.CharField(max_length=80)
    admin_name = models.CharField(max_length=80)
    activated_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "trail_retention_activation"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "retention"], name="trail_retention_activation_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.retention_id} activated"


class RetentionEnd(models.TextChoices):
    WITHDRAWN = "retirada", _("retirada")
    REFUSED = "recusada", _("recusada")


class TrailRetentionEnd(TenantModel):
    """A rule that waited and will not be in force: taken back by its author, or refused by another
    admin. The database sees to whose act it is, and that a rule ends once or is activated."""

    retention = models.ForeignKey(
        TrailRetention, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    kind = models.CharField(max_length=10, choices=RetentionEnd.choices)
    reason = models.CharField(max_length=1000)
    admin = models.CharField(max_length=80)
    admin_name = models.CharField(max_length=80)
    ended_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "trail_retention_end"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "retention"], name="trail_retention_end_once")
        ]

    def __str__(self) -> str:
        return f"{self.retention_id} {self.kind}"


class LegalHold(TenantModel):
    """Rows that stay whatever the retention says: of one entity and of every run it appears in, or
    all of the company's when `entity_ref` is empty."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    entity_type = models.CharField(max_length=20, blank=True, default="")
    entity_ref = models.CharField(max_length=80, blank=True, default="")
    entity_title = models.CharField(max_length=80, blank=True, default="")
    reason = models.CharField(max_length=1000)
    author = models.CharField(max_length=80)
    author_name = models.CharField(max_length=80)
    since = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "legal_hold"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="legal_hold_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="legal_hold_tenant_ref"),
        ]

    def __str__(self) -> str:
        return self.entity_title or "everything"


class LegalHoldLift(TenantModel):
    hold = models.ForeignKey(
        LegalHold, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    reason = models.CharField(max_length=1000)
    author = models.CharField(max_length=80)
    author_name = models.CharField(max_length=80)
    lifted_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "legal_hold_lift"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "hold"], name="legal_hold_lift_once")
        ]

    def __str__(self) -> str:
        return f"{self.hold_id} lifted"


class TrailExpiry(TenantModel):
    """What is left of one company's rows of a month that went: how many they were, what they hashed
    to, where their archive is and on what basis they went. Written before anything is removed.

    `statement` is what `signature` covers, with `key`; the columns repeat of it what is asked for.
    """

    month = models.DateField()
    from_at = models.DateTimeField()
    until_at = models.DateTimeField()
    rows = models.BigIntegerField()
    first_row = models.BigIntegerField()
    last_row = models.BigIntegerField()
    root = models.CharField(max_length=64)
    retention = models.ForeignKey(
        TrailRetention, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    basis = models.CharField(max_length=500)
    author = models.CharField(max_length=80)
    archive = models.CharField(max_length=200)
    archive_sha256 = models.CharField(max_length=64)
    trail_row = models.BigIntegerField()
    statement = models.JSONField()
    key = models.CharField(max_length=64)
    signature = models.CharField(max_length=128)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "trail_expiry"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "month"], name="trail_expiry_once"),
            models.CheckConstraint(
                name="trail_expiry_range",
                condition=Q(until_at__gt=models.F("from_at"), rows__gt=0),
            ),
            models.CheckConstraint(
                name="trail_expiry_over", condition=Q(until_at__lte=models.F("recorded_at"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"
