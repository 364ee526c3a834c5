"""What a document is tied to outside its text: the tasks it explains, the source it is kept from."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from grounding.models.knowledge import Collection, Document
from opspilot.tenancy.models import TenantModel


class RunbookLink(TenantModel):
    """The runbook of a Semaphore template: whoever approves the task is shown it."""

    document = models.ForeignKey(
        Document, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    template = models.BigIntegerField()  # the template's number in Semaphore
    linked_by = models.CharField(max_length=80)
    linked_by_name = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "runbook_link"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "template", "document"], name="runbook_link_template"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.template} → {self.document_id}"


class SourceKind(models.TextChoices):
    FOLDER = "pasta", _("pasta")
    GIT = "git", _("repositório Git")


class OnRemoval(models.TextChoices):
    """What becomes of a document whose file is no longer in its source."""

    ASK = "propor", _("propor a retirada")
    RETIRE = "retirar", _("retirar da busca")


class SyncSource(TenantModel):
    """A folder or a local Git repository a collection is kept from.

    `files` are the names and hashes of the last run: what is not among them is new, and what is no
    longer in the source was removed. `next_at` is null while the source is switched off.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    collection = models.ForeignKey(
        Collection, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    kind = models.CharField(max_length=6, choices=SourceKind.choices)
    path = models.CharField(max_length=500)  # below OPSPILOT_SYNC_ROOT
    branch = models.CharField(max_length=120, default="", blank=True)
    on_removal = models.CharField(max_length=8, choices=OnRemoval.choices)
    every_minutes = models.PositiveIntegerField()
    files = models.JSONField(default=dict)
    revision = models.CharField(max_length=64, default="", db_default="", blank=True)
    counts = models.JSONField(default=dict)
    code = models.CharField(max_length=40, default="", db_default="", blank=True)  # why it failed
    ran_at = models.DateTimeField(null=True)
    good_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True, db_default=Now())
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    made_by = models.CharField(max_length=80)
    made_by_name = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "sync_source"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="sync_source_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="sync_source_tenant_ref"),
            models.UniqueConstraint(fields=["tenant", "collection"], name="sync_source_collection"),
        ]

    def __str__(self) -> str:
        return self.path
