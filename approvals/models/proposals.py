"""Proposals (`agente_aprovacao`), the decisions on them and the words about them."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.fields.json import KT, KeyTransform
from django.db.models.functions import MD5, Cast, Now
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


NARROWED = ("papel_exigido", "risco", "alvo", "solicitante")


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
    # Not before this moment, where the requester chose one: the action says the same.
    executar_de = models.DateTimeField(null=True)
    versao_esquema = models.IntegerField()
    cobertura = models.CharField(max_length=10, null=True)  # noqa: DJ001 - null = nothing consulted
    evidencia = models.JSONField(default=list)
    # What this one asks again, changed or not: sent back, expired or refused before it.
    anterior = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="+", db_constraint=False, db_index=False
    )
    # Whose effect this one is about: undoing it, or sending it again.
    sobre = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="+", db_constraint=False, db_index=False
    )
    # The agent that proposed it ('' = a person at the console) and its owner at that time.
    agente = models.CharField(max_length=60, default="", db_default="")
    agente_dono = models.CharField(max_length=80, default="", db_default="")
    # The subjects that stood behind the agent beside its owner, none of whom decides.
    agente_barrados = ArrayField(models.TextField(), default=list, db_default=[])
    modelo = models.CharField(max_length=120, default="", db_default="")
    instrucao_hash = models.CharField(max_length=64, default="", db_default="")
    # The rules whoever carries this out must know, beside the schema version (I12).
    recursos = ArrayField(models.CharField(max_length=60), default=list, db_default=[])
    # Finds what is about the same target. A column of its own: under row level security an index
    # on an expression is not used.
    destino_hash = models.GeneratedField(
        expression=MD5(Cast(KeyTransform("target", "proposta"), models.TextField())),
        output_field=models.CharField(max_length=32, null=True),
        db_persist=True,
    )
    # What a queue is narrowed by and ordered by, for the same reason.
    alvo = models.GeneratedField(
        expression=KT("proposta__alias"),
        output_field=models.TextField(null=True),
        db_persist=True,
    )
    urgencia = models.GeneratedField(
        expression=models.Case(
            models.When(risco="alto", then=0), models.When(risco="medio", then=1), default=2
        ),
        output_field=models.SmallIntegerField(),
        db_persist=True,
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
            models.UniqueConstraint(
                fields=["tenant", "sobre", "acao"],
                name="agente_aprovacao_sobre_uma",
                condition=models.Q(estado="pendente", sobre__isnull=False),
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
            models.Index(
                fields=["tenant", "acao", "destino_hash", "id"],
                name="agente_aprovacao_decididas",
                condition=models.Q(estado__in=["aprovada", "recusada"]),
            ),
            models.Index(
                fields=["tenant", "acao", "destino_hash", "id"],
                name="agente_aprovacao_mesmo_destino",
                condition=models.Q(estado="pendente"),
            ),
            # The orders of a queue, and what it is narrowed by, checked inside the index.
            models.Index(
                fields=["tenant", "expira_em", "urgencia", "id", *NARROWED],
                name="agente_aprovacao_fila",
                condition=models.Q(estado="pendente"),
            ),
            models.Index(
                fields=["tenant", "urgencia", "expira_em", "id", *NARROWED],
                name="agente_aprovacao_por_risco",
                condition=models.Q(estado="pendente"),
            ),
            models.Index(
                fields=["tenant", "papel_exigido", "expira_em", "urgencia", "id", *NARROWED[1:]],
                name="agente_aprovacao_por_papel",
                condition=models.Q(estado="pendente"),
            ),
            models.Index(
                fields=["tenant", "decidida_em", "id"],
                name="agente_aprovacao_encerradas",
                condition=~models.Q(estado="pendente"),
            ),
            models.Index(fields=["tenant", "solicitante", "id"], name="agente_aprovacao_de_quem"),
            models.Index(fields=["tenant", "criada_em"], name="agente_aprovacao_criadas"),
            models.Index(
                fields=["tenant", "sobre", "id"],
                name="agente_aprovacao_sobre",
                condition=models.Q(sobre__isnull=False),
            ),
            models.Index(
                fields=["decidida_em"],
                name="agente_aprovacao_decidida_em",
                condition=models.Q(decidida_em__isnull=False),
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
    # Whose power this person used, by delegation; '' = their own.
    on_behalf_of = models.CharField(max_length=80, default="", db_default="", blank=True)
    on_behalf_of_name = models.CharField(max_length=80, default="", db_default="", blank=True)

    class Meta:
        db_table = "approval_decision"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="approval_decision_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "approval", "subject"], name="approval_decision_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "subject", "approval"], name="approval_decision_de_quem"
            ),
            models.Index(fields=["tenant", "decided_at"], name="approval_decision_quando"),
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
