"""To whom else a proposal was given to decide, beside its own role. Insert-only."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from approvals.models.proposals import AgenteAprovacao
from opspilot.tenancy.models import TenantModel


class EscalationReason(models.TextChoices):
    PRAZO = "prazo", _("parte do prazo passou sem decisão")
    SEM_ELEGIVEL = "sem_elegivel", _("ninguém com o papel pedido podia decidir")


class Escalation(TenantModel):
    """One more role that may decide the proposal; `from_role` stays able to."""

    approval = models.ForeignKey(
        AgenteAprovacao, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    from_role = models.CharField(max_length=20)
    to_role = models.CharField(max_length=20)
    reason = models.CharField(max_length=20, choices=EscalationReason.choices)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "approval_escalation"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="approval_escalation_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "approval", "to_role"], name="approval_escalation_once"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "to_role", "approval"], name="approval_escalation_to"),
        ]

    def __str__(self) -> str:
        return f"{self.from_role} {self.to_role}"
