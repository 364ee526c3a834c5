"""The registry of entities: whom or what the trail is about."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel


class Entity(TenantModel):
    """A customer, order or contract the trail points at, by an id that says nothing about it.

    Document numbers are kept as a keyed hash only: enough to find, not enough to read. Of an erased
    one both title and hash are gone; a trigger lets a row lose them once, and nothing else change.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    type = models.CharField(max_length=20)
    title = models.CharField(max_length=80)
    document_hash = models.CharField(max_length=64, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "entity"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="entity_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="entity_tenant_ref"),
            models.UniqueConstraint(
                fields=["tenant", "type", "document_hash"], name="entity_tenant_document"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class EntityChange(models.TextChoices):
    UNIDA = "unida", _("unida")
    SEPARADA = "separada", _("separada")
    APAGADA = "apagada", _("apagada")


class EntityEvent(TenantModel):
    """What somebody decided about an entry of the registry, and why. Insert-only.

    `into` is the entry that stands for this one from a merge on; the newest of a merge and a split
    counts.
    """

    entity = models.ForeignKey(
        Entity, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    kind = models.CharField(max_length=10, choices=EntityChange.choices)
    into = models.ForeignKey(
        Entity, models.PROTECT, related_name="+", db_constraint=False, db_index=False, null=True
    )
    reason = models.TextField()
    by = models.CharField(max_length=80)
    by_name = models.CharField(max_length=80)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "entity_event"
        indexes = [
            models.Index(fields=["tenant", "entity", "id"], name="entity_event_entity"),
            models.Index(fields=["tenant", "into"], name="entity_event_into"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="unida", into__isnull=False)
                | models.Q(kind="separada", into__isnull=False)
                | models.Q(kind="apagada", into__isnull=True),
                name="entity_event_into_whom",
            ),
            models.CheckConstraint(
                condition=~models.Q(into=models.F("entity")) | models.Q(into__isnull=True),
                name="entity_event_not_itself",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.entity_id}"
