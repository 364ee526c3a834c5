"""What a model costs from a day on. Insert-only: a correction is a newer row of the same day."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from opspilot.tenancy.models import TenantModel


class ModelPrice(TenantModel):
    """Centavos for a thousand tokens, read and written, from the beginning of `since`, a day of the
    installation's zone."""

    model = models.CharField(max_length=80)
    since = models.DateField()
    centavos_in = models.DecimalField(max_digits=12, decimal_places=6)
    centavos_out = models.DecimalField(max_digits=12, decimal_places=6)
    author = models.CharField(max_length=60)
    author_name = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "model_price"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="model_price_tenant_id"),
        ]

    def __str__(self) -> str:
        return f"{self.model} {self.since}"
