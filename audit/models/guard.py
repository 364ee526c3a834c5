"""What the guard of the trail did, what a reviewer found, and the words a company added to it."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from opspilot.tenancy.models import TenantModel

TERM_LENGTH = 80


class MaskingCount(TenantModel):
    """How often one kind was masked in one field of one row, on its way in. Insert-only."""

    trail_row = models.BigIntegerField()
    field = models.CharField(max_length=20)
    kind = models.CharField(max_length=12)  # of guard.kinds
    count = models.PositiveSmallIntegerField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "masking_count"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="masking_count_tenant_id"),
        ]
        indexes = [models.Index(fields=["tenant", "at"], name="masking_count_when")]

    def __str__(self) -> str:
        return f"{self.field} {self.kind} {self.count}"


class TrailReview(TenantModel):
    """A sample of the rows of a period, drawn to be read by a person. The seed draws it again; the
    ids are kept, because the months they are in end."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    seed = models.BigIntegerField()
    since = models.DateTimeField()
    until = models.DateTimeField()
    rows = ArrayField(models.BigIntegerField())
    by = models.CharField(max_length=80)
    by_name = models.CharField(max_length=200)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "trail_review"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="trail_review_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="trail_review_tenant_ref"),
        ]

    def __str__(self) -> str:
        return str(self.ref)


class TrailReviewFinding(TenantModel):
    """A row of the sample that holds what should not be there. Insert-only."""

    review = models.ForeignKey(
        TrailReview, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    trail_row = models.BigIntegerField()
    kind = models.CharField(max_length=12)  # of guard.kinds

    class Meta:
        db_table = "trail_review_finding"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="trail_review_finding_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "review", "trail_row"], name="trail_review_finding_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.trail_row} {self.kind}"


class TrailReviewEnd(TenantModel):
    """Who read the sample to its end, how many rows of it were still there, and what was found."""

    review = models.ForeignKey(
        TrailReview, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    looked = models.PositiveSmallIntegerField()
    findings = models.PositiveSmallIntegerField()
    by = models.CharField(max_length=80)
    by_name = models.CharField(max_length=200)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "trail_review_end"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="trail_review_end_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "review"], name="trail_review_end_once"),
        ]

    def __str__(self) -> str:
        return f"{self.looked} {self.findings}"


class GuardTerm(TenantModel):
    """A literal word, or some, that the trail masks in every row written from now on. The database
    applies it, so it holds for every writer at once."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    term = models.CharField(max_length=TERM_LENGTH)
    review = models.ForeignKey(
        TrailReview, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    by = models.CharField(max_length=80)
    by_name = models.CharField(max_length=200)
    at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        db_table = "guard_term"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="guard_term_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="guard_term_tenant_ref"),
            models.UniqueConstraint(
                fields=["tenant", "term"],
                condition=models.Q(ended_at=None),
                name="guard_term_once",
            ),
        ]

    def __str__(self) -> str:
        return str(self.ref)
