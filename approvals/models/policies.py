"""Policy versions and the drafts they come from: data, no workflow."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel


class PolicyVersion(TenantModel):
    """An immutable numbered policy; the highest number is in force.

    `author` wrote it and `activated_by` put it in force; the database refuses the same name twice.
    """

    number = models.IntegerField()
    document = models.JSONField()
    sha256 = models.CharField(max_length=64)
    author = models.CharField(max_length=200, default="", db_default="")
    reason = models.TextField(default="", db_default="")
    activated_by = models.CharField(max_length=200)
    activated_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "policy_version"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="policy_version_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "number"], name="policy_version_number"),
            models.CheckConstraint(
                condition=~models.Q(author=models.F("activated_by")),
                name="policy_version_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"v{self.number}"


class DraftOutcome(models.TextChoices):
    ABERTO = "aberto", _("espera outro admin")
    ATIVADO = "ativado", _("ativado")
    DESCARTADO = "descartado", _("descartado")


class PolicyDraft(TenantModel):
    """A policy somebody wrote and somebody else may put in force. Only its closing changes."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    document = models.JSONField()
    sha256 = models.CharField(max_length=64)
    based_on = models.IntegerField()  # the version in force it was written against
    reason = models.TextField()
    author = models.CharField(max_length=80)
    author_name = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_default=Now())
    outcome = models.CharField(
        max_length=12, choices=DraftOutcome.choices, default=DraftOutcome.ABERTO
    )
    closed_by = models.CharField(max_length=200, default="", blank=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "policy_draft"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="policy_draft_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="policy_draft_tenant_ref"),
        ]

    def __str__(self) -> str:
        return f"draft {self.ref}"
