"""Audit packs that were asked for on a page: what was asked, and how far the worker is."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel


class PackState(models.TextChoices):
    QUEUED = "na_fila", _("na fila")
    BUILDING = "montando", _("montando")
    READY = "pronto", _("pronto")
    FAILED = "falhou", _("falhou")
    EXPIRED = "vencido", _("vencido")


class ProofPack(TenantModel):
    """Proofs of a quarter's drawn effects in one file. The file goes after a day; the row, with the
    file's hash, the seed and what was drawn, stays: with these the same sample is drawn again."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    quarter = models.CharField(max_length=7)  # 2026-T4
    wanted = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=64)
    asked_by = models.CharField(max_length=60)
    asked_by_name = models.CharField(max_length=80)
    asked_at = models.DateTimeField(db_default=Now())
    state = models.CharField(
        max_length=10, choices=PackState.choices, default=PackState.QUEUED.value
    )
    code = models.CharField(max_length=40, blank=True, default="")
    attempts = models.PositiveSmallIntegerField(default=0)
    drawn = models.PositiveSmallIntegerField(default=0)
    effects = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    size = models.BigIntegerField(default=0)  # bytes
    ready_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    versao_esquema = models.PositiveSmallIntegerField(default=1, db_default=1)

    class Meta:
        db_table = "proof_pack"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="proof_pack_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="proof_pack_tenant_ref"),
        ]

    def __str__(self) -> str:
        return f"{self.quarter} {self.state}"
