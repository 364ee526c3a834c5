"""Who lends whom the power to decide, and what an auditor attested about it. No workflow."""

from __future__ import annotations

import datetime as dt
import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from opspilot.tenancy.models import TenantModel
from opspilot.tenancy.principal import Role

LONGEST = dt.timedelta(days=30)
"""An absence that lasts longer takes a second delegation, which somebody looks at again."""


class Delegation(TenantModel):
    """For a time, one person decides in another's name. Only its revocation is ever written."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    giver = models.CharField(max_length=80)
    giver_name = models.CharField(max_length=80)
    receiver = models.CharField(max_length=80)
    receiver_name = models.CharField(max_length=80)
    roles = ArrayField(models.CharField(max_length=20, choices=Role.choices))
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()  # not included
    reason = models.TextField()
    created_at = models.DateTimeField(db_default=Now())
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.CharField(max_length=200, default="", db_default="", blank=True)

    class Meta:
        db_table = "approval_delegation"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="approval_delegation_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "ref"], name="approval_delegation_tenant_ref"
            ),
            models.CheckConstraint(
                condition=~models.Q(giver=models.F("receiver")),
                name="approval_delegation_two_people",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    ends_at__gt=models.F("starts_at"),
                    ends_at__lte=models.F("starts_at") + LONGEST,
                ),
                name="approval_delegation_bounded",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "receiver", "ends_at"], name="approval_delegation_to"),
        ]

    def __str__(self) -> str:
        return f"{self.giver} → {self.receiver}"


class AccessReview(TenantModel):
    """An auditor's word that a list of who decides what is right, with that very list. Insert-only.

    `sha256` is of the canonical JSON of `content`.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    period = models.CharField(max_length=7)  # "2026-T4"
    reviewer = models.CharField(max_length=80)
    reviewer_name = models.CharField(max_length=80)
    remark = models.TextField(default="", blank=True)
    sha256 = models.CharField(max_length=64)
    content = models.JSONField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "access_review"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="access_review_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="access_review_tenant_ref"),
            models.UniqueConstraint(
                fields=["tenant", "period", "reviewer", "sha256"], name="access_review_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.period} {self.sha256[:8]}"
