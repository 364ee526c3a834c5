"""Proposals (`agente_aprovacao`), decisions, executions and policy versions: data, no workflow."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel

SCHEMA_VERSION = 1  # the newest rules this code knows; a claim never takes a newer row (I12)


class State(models.TextChoices):
    """`agente_aprovacao.estado`: moved once, by the decision trigger."""

    PENDENTE = "pendente", _("pendente")
    APROVADA = "aprovada", _("aprovada")
    RECUSADA = "recusada", _("recusada")
    EXPIRADA = "expirada", _("expirada")
    CANCELADA = "cancelada", _("cancelada")
    DEVOLVIDA = "devolvida", _("devolvida")


class Verdict(models.TextChoices):
    APROVAR = "aprovar", _("aprovou")
    RECUSAR = "recusar", _("recusou")
    EXPIRAR = "expirar", _("expirou")
    CANCELAR = "cancelar", _("cancelou")
    DEVOLVER = "devolver", _("devolveu")


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


class AgenteAprovacao(TenantModel):
    """A complete action, frozen when stored. The app may insert it and never change it."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    criada_em = models.DateTimeField(db_default=Now())
    correlacao_id = models.UUIDField()
    acao = models.CharField(max_length=80)
    entidade_tipo = models.CharField(max_length=20, null=True)  # noqa: DJ001 - published contract
    entidade_id = models.CharField(max_length=64, null=True)  # noqa: DJ001 - published contract
    proposta = models.JSONField()
    risco = models.CharField(max_length=10)
    estado = models.CharField(max_length=12, choices=State.choices, default=State.PENDENTE)
    decidida_em = models.DateTimeField(null=True)
    decidida_por = models.TextField(null=True)  # noqa: DJ001 - published contract
    motivo = models.TextField(null=True)  # noqa: DJ001 - published contract
    expira_em = models.DateTimeField()
    solicitante = models.CharField(max_length=80)
    solicitante_nome = models.CharField(max_length=80)
    justificativa = models.TextField()
    acao_hash = models.CharField(max_length=64)
    politica_versao = models.IntegerField()
    aprovacoes_exigidas = models.IntegerField()
    papel_exigido = models.CharField(max_length=20)
    executar_ate = models.DateTimeField()
    versao_esquema = models.IntegerField()
    cobertura = models.CharField(max_length=10, null=True)  # noqa: DJ001 - null = nothing consulted
    evidencia = models.JSONField(default=list)

    class Meta:
        db_table = "agente_aprovacao"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="agente_aprovacao_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="agente_aprovacao_tenant_ref"),
            models.UniqueConstraint(
                fields=["tenant", "correlacao_id"], name="agente_aprovacao_rodada"
            ),
            models.CheckConstraint(
                condition=models.Q(aprovacoes_exigidas__gte=1), name="agente_aprovacao_quorum"
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "estado", "expira_em"],
                name="agente_aprovacao_pendente",
                condition=models.Q(estado="pendente"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.acao} {self.estado}"

    @property
    def facts(self) -> dict[str, Any]:
        """What a refusal about this proposal carries to the trail and to the page."""
        return {
            "correlation_id": self.correlacao_id,
            "entity_type": self.entidade_tipo,
            "entity_id": self.entidade_id,
            "approval_id": self.pk,
            "back_url": f"/aprovacoes/{self.ref}/",
        }


class Decision(TenantModel):
    """One person's (or the clock's) verdict, with the hash it was given for. Insert-only."""

    approval = models.ForeignKey(
        AgenteAprovacao, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    subject = models.CharField(max_length=80)
    subject_name = models.CharField(max_length=80)
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    reason = models.TextField(default="", blank=True)
    seen_hash = models.CharField(max_length=64)
    decided_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "approval_decision"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="approval_decision_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "approval", "subject"], name="approval_decision_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.verdict}"


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


class PolicyVersion(TenantModel):
    """An immutable numbered policy; the highest activated number is in force."""

    number = models.IntegerField()
    document = models.JSONField()
    sha256 = models.CharField(max_length=64)
    activated_by = models.CharField(max_length=80)
    activated_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "policy_version"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="policy_version_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "number"], name="policy_version_number"),
        ]

    def __str__(self) -> str:
        return f"v{self.number}"
