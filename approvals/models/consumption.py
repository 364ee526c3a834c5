"""What becomes of an approval that one of the company's agents carries out itself."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from approvals.models.proposals import AgenteAprovacao
from opspilot.tenancy.models import TenantModel


class Taking(models.TextChoices):
    """How an approval was used up; only one of the two ever happens."""

    CONSUMIDA = "consumida", _("consumida pelo agente")
    RETIRADA = "retirada", _("retirada por quem aprovou")


class EffectOutcome(models.TextChoices):
    OK = "ok", _("feita")
    RECUSADO = "recusado", _("recusada pelo destino")
    ERRO = "erro", _("não concluída")
    DESCONHECIDO = "desconhecido", _("resultado desconhecido")


class Consumption(TenantModel):
    """The one use of an approval: taken by the agent that asked, or taken back by a decider."""

    approval = models.ForeignKey(
        AgenteAprovacao, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    kind = models.CharField(max_length=10, choices=Taking.choices)
    subject = models.CharField(max_length=80)
    subject_name = models.CharField(max_length=80)
    seen_hash = models.CharField(max_length=64)
    policy_number = models.IntegerField()  # the version it was evaluated under, right then
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "approval_consumption"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="approval_consumption_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "approval"], name="approval_consumption_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.approval_id} {self.kind}"


class EffectReport(TenantModel):
    """What the agent says became of the action it took: once, in its own time."""

    consumption = models.ForeignKey(
        Consumption, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    outcome = models.CharField(max_length=12, choices=EffectOutcome.choices)
    reference = models.CharField(max_length=200, default="", blank=True)
    detail = models.CharField(max_length=500, default="", blank=True)
    informado_em = models.DateTimeField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "approval_effect"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="approval_effect_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "consumption"], name="approval_effect_once"),
        ]

    def __str__(self) -> str:
        return f"{self.consumption_id} {self.outcome}"
