"""The registry of entities: whom or what the trail is about."""

from __future__ import annotations

import uuid

from django.db import models

from opspilot.tenancy.models import TenantModel


class Entity(TenantModel):
    """A customer, order or contract the trail points at, by an id that says nothing about it.

    Document numbers are kept as a keyed hash only: enough to find, not enough to read.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    type = models.CharField(max_length=20)
    title = models.CharField(max_length=80)
    document_hash = models.CharField(max_length=64)
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
