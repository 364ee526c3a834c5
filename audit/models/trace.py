"""What was asked of the trail about one entity, and the file that answers it."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel


class TraceState(models.TextChoices):
    QUEUED = "na_fila", _("na fila")
    BUILDING = "montando", _("montando")
    READY = "pronto", _("pronto")
    FAILED = "falhou", _("falhou")
    EXPIRED = "vencido", _("vencido")


class Trace(TenantModel):
    """One customer's trace, from the asking to the day its file is gone.

    The row says how far the worker is: `parts` parts are whole on the disk, and the last of them
    ends at (`place_at`, `place_row`). The trail is read up to `until`, the moment of asking.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    entity_type = models.CharField(max_length=20)
    entity_ref = models.UUIDField()
    asked_by = models.CharField(max_length=60)
    asked_by_name = models.CharField(max_length=80)
    asked_role = models.CharField(max_length=20)
    reason = models.CharField(max_length=500)
    asked_at = models.DateTimeField(db_default=Now())
    until = models.DateTimeField()
    state = models.CharField(
        max_length=10, choices=TraceState.choices, default=TraceState.QUEUED.value
    )
    code = models.CharField(max_length=40, blank=True, default="")
    attempts = models.PositiveSmallIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)
    rows = models.BigIntegerField(default=0)
    place_at = models.DateTimeField(null=True)
    place_row = models.BigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    size = models.BigIntegerField(default=0)
    is_signed = models.BooleanField(default=False)
    ready_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    versao_esquema = models.PositiveSmallIntegerField(default=1, db_default=1)

    class Meta:
        db_table = "trace_export"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="trace_export_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="trace_export_tenant_ref"),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "entity_type", "entity_ref", "-id"], name="trace_export_entity"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entity_type} {self.state}"
