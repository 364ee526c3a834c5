"""Uploads and their fate."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from grounding.models.knowledge import Collection
from opspilot.tenancy.models import TenantModel

SCHEMA_VERSION = 1  # the newest rules this code knows; a claim never takes a newer row (I12)


class UploadState(models.TextChoices):
    """A file's way in; the words are the ones people read (design §5)."""

    UPLOADED = "uploaded", _("verificando")
    EXTRACTED = "extracted", _("lido")
    NEEDS_REVIEW = "needs_review", _("em quarentena")
    APPROVED = "approved", _("ativo")
    SAME = "same", _("igual a existente")
    SUPERSEDED = "superseded", _("substituído")
    UNPACKED = "unpacked", _("aberto")
    REJECTED = "rejected", _("recusado")


class Upload(TenantModel):
    """One file as it came, and what became of it; the bytes go when it is done, not when it was
    given up: then a person can have it tried again. Nor while it is in quarantine.

    `review_seal` is the hash of the findings an admin was shown and released the file with;
    `parent_id` the zip a file came in.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    batch = models.UUIDField()
    collection = models.ForeignKey(
        Collection, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    name = models.CharField(max_length=255)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField(null=True)
    state = models.CharField(
        max_length=12, choices=UploadState.choices, default=UploadState.UPLOADED
    )
    code = models.CharField(max_length=40, default="", blank=True)  # why it was refused
    detail = models.JSONField(default=dict)
    version_id = models.BigIntegerField(null=True)
    parent_id = models.BigIntegerField(null=True)
    reviewed_by = models.CharField(max_length=80, default="", db_default="", blank=True)
    reviewed_by_name = models.CharField(max_length=80, default="", db_default="", blank=True)
    review_reason = models.CharField(max_length=500, default="", db_default="", blank=True)
    review_seal = models.CharField(max_length=64, default="", db_default="", blank=True)
    uploaded_by = models.CharField(max_length=80)
    uploaded_by_name = models.CharField(max_length=80)
    versao_esquema = models.IntegerField(default=1)
    attempts = models.IntegerField(default=0)
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "upload"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="upload_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="upload_tenant_ref"),
        ]
        indexes = [
            models.Index(fields=["tenant", "collection", "name"], name="upload_name"),
            models.Index(
                fields=["tenant", "state"],
                name="upload_open",
                condition=models.Q(state__in=["uploaded", "extracted"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.state}"
