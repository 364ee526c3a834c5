"""Proposals (`agente_aprovacao`), the decisions on them and the words about them."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel


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
    # What this one asks again, changed or not: sent back, expired or refused before it.
    anterior = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="+", db_constraint=False, db_index=False
    )

    class Meta:
        db_table = "agente_aprovacao"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="agente_aprovacao_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="agente_aprovacao_tenant_ref"),
            models.UniqueConstraint(
                fields=["tenant", "correlacao_id"], name="agente_aprovacao_rodada"
            ),
            models.UniqueConstraint(
                fields=["tenant", "anterior"], name="agente_aprovacao_uma_seguinte"
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


class Comment(TenantModel):
    """A word on a proposal that decides nothing. Insert-only."""

    approval = models.ForeignKey(
        AgenteAprovacao, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    subject = models.CharField(max_length=80)
    subject_name = models.CharField(max_length=80)
    text = models.TextField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "approval_comment"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="approval_comment_tenant_id"),
        ]
        indexes = [models.Index(fields=["tenant", "approval", "id"], name="approval_comment_of")]

    def __str__(self) -> str:
        return f"{self.subject} {self.pk}"
