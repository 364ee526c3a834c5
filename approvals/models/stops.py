"""Emergency stops and how they were lifted. Both insert-only: what was stopped stays written."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel


class StopScope(models.TextChoices):
    EMPRESA = "empresa", _("a empresa inteira")
    AGENTE = "agente", _("um agente")
    CONECTOR = "conector", _("um conector")


class EmergencyStop(TenantModel):
    """Nothing in its scope starts while it is in force: from `at` until it is lifted.

    `subject` is the agent's short name or the connector's name; "" for the whole company. A
    trigger writes `at` under the lock that claims share, so no claim after it can have missed it.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    scope = models.CharField(max_length=10, choices=StopScope.choices)
    subject = models.CharField(max_length=60, default="", blank=True)
    reason = models.TextField()
    pressed_by = models.CharField(max_length=80)
    pressed_name = models.CharField(max_length=80)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "emergency_stop"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="emergency_stop_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="emergency_stop_tenant_ref"),
            models.CheckConstraint(
                condition=models.Q(scope="empresa", subject="")
                | (models.Q(scope__in=["agente", "conector"]) & ~models.Q(subject="")),
                name="emergency_stop_of_what",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.subject}"


class EmergencyStopLift(TenantModel):
    """The end of one stop: once, by an admin."""

    stop = models.ForeignKey(
        EmergencyStop, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    reason = models.TextField()
    lifted_by = models.CharField(max_length=80)
    lifted_name = models.CharField(max_length=80)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "emergency_stop_lift"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="emergency_stop_lift_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "stop"], name="emergency_stop_lift_once"),
        ]

    def __str__(self) -> str:
        return f"{self.stop_id}"
