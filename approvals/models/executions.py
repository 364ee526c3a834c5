"""The effect of an approval and what was tried for it."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from approvals.models.proposals import AgenteAprovacao
from opspilot.tenancy.models import TenantModel


class ExecutionState(models.TextChoices):
    RETIDA = "retida", _("na fila de execução")
    EM_ENVIO = "em_envio", _("em envio")
    CONCLUIDA = "concluida", _("concluída")
    RECUSADA = "recusada", _("recusada pelo destino")
    DESCONHECIDA = "desconhecida", _("resultado desconhecido")
    DIVERGENTE = "divergente", _("divergente do aprovado")
    BLOQUEADA = "bloqueada", _("bloqueada")
    RETIRADA = "retirada", _("retirada")
    REVERTIDA = "revertida", _("revertida")


class Execution(TenantModel):
    """The effect of one approval. Only the holder of the claim token may settle it."""

    approval = models.ForeignKey(
        AgenteAprovacao, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    state = models.CharField(
        max_length=12, choices=ExecutionState.choices, default=ExecutionState.RETIDA
    )
    reason = models.CharField(max_length=60, default="", blank=True)
    marker = models.CharField(max_length=49)
    versao_esquema = models.IntegerField()
    not_before = models.DateTimeField()
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.IntegerField(default=0)
    lookups = models.IntegerField(default=0)
    next_lookup_at = models.DateTimeField(null=True)
    remote = models.JSONField(default=dict)
    # Requests a second approval allowed beyond the budget, and until when those may leave.
    extra_sends = models.IntegerField(default=0, db_default=0)
    resend_until = models.DateTimeField(null=True)
    # What a person says is the effect, until the worker has looked at it.
    proof = models.JSONField(default=dict, db_default={})
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "execution"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="execution_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "approval"], name="execution_once"),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "state"],
                name="execution_open",
                condition=models.Q(state__in=["retida", "em_envio", "desconhecida"]),
            ),
            models.Index(
                fields=["tenant", "state"],
                name="execution_attention",
                condition=models.Q(state__in=["desconhecida", "divergente", "bloqueada"]),
            ),
            models.Index(
                fields=["state", "id"],
                name="execution_incident",
                condition=models.Q(state__in=["desconhecida", "divergente"]),
            ),
            models.Index(
                fields=["next_lookup_at"],
                name="execution_looked_at",
                condition=models.Q(next_lookup_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.approval_id} {self.state}"


class ExecutionAttempt(TenantModel):
    """What was tried: a row before the first byte leaves, another when the outcome is known."""

    execution = models.ForeignKey(
        Execution, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    number = models.IntegerField()
    kind = models.CharField(max_length=10)  # envio, resposta, busca
    claim_token = models.UUIDField()
    outcome = models.CharField(max_length=20, default="", blank=True)
    detail = models.CharField(max_length=200, default="", blank=True)
    body_sha256 = models.CharField(max_length=64, default="", blank=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "execution_attempt"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="execution_attempt_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "execution", "kind", "number"], name="execution_attempt_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} {self.outcome}"
