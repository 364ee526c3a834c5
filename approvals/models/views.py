"""A queue somebody wants to find again. No workflow."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now

from opspilot.tenancy.models import TenantModel

NAME = 60  # characters
QUERY = 400


class SavedView(TenantModel):
    """A tab with its filters and order, under a name of the person's own: an address, kept.

    `query` is read as any address is: what cannot be one any more is as if it were not there.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    subject = models.CharField(max_length=80)
    name = models.CharField(max_length=NAME)
    query = models.CharField(max_length=QUERY, blank=True)
    opens_first = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "saved_view"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="saved_view_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="saved_view_tenant_ref"),
            models.UniqueConstraint(fields=["tenant", "subject", "name"], name="saved_view_name"),
            models.UniqueConstraint(
                fields=["tenant", "subject"],
                condition=models.Q(opens_first=True),
                name="saved_view_one_first",
            ),
        ]

    def __str__(self) -> str:
        return self.name
