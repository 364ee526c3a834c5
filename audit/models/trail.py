"""The trail: made by SQL, read through an unmanaged model."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from django.db import models

from opspilot.tenancy.models import Tenant, TenantManager


class ReadOnlyError(TypeError):
    """The trail is written by `audit.trail` alone, which masks."""


class TrailManager(TenantManager["AgenteAcao"]):
    """Reads. What it would create or change in bulk would not have passed the guard."""

    def bulk_create(self, *_args: Any, **_values: Any) -> NoReturn:
        raise ReadOnlyError("the trail is written by audit.trail")

    bulk_update = bulk_create


class AgenteAcao(models.Model):
    """One row of the append-only trail; names and columns are the published contract."""

    pk = models.CompositePrimaryKey("id", "ocorrido_em")
    tenant = models.ForeignKey(Tenant, models.DO_NOTHING, related_name="+", db_constraint=False)
    id = models.BigIntegerField()
    ocorrido_em = models.DateTimeField()
    correlacao_id = models.UUIDField()
    agente = models.TextField()
    agente_versao = models.TextField()
    modelo = models.TextField()
    modelo_pedido = models.TextField(null=True)
    instrucao_hash = models.TextField()
    acao = models.TextField()
    entidade_tipo = models.TextField(null=True)
    entidade_id = models.TextField(null=True)
    resultado = models.TextField()
    autorizacao = models.TextField()
    aprovado_por = models.TextField(null=True)
    aprovacao_id = models.BigIntegerField(null=True)
    politica_versao = models.IntegerField(null=True)
    fontes = models.JSONField(default=list)
    entrada_resumo = models.TextField(null=True)
    saida_resumo = models.TextField(null=True)
    tokens_entrada = models.IntegerField(default=0)
    tokens_saida = models.IntegerField(default=0)
    uso_conhecido = models.BooleanField(default=True)
    custo_centavos = models.IntegerField(default=0)
    custo_exato = models.DecimalField(max_digits=18, decimal_places=6, null=True)
    duracao_ms = models.IntegerField(null=True)
    reversivel = models.BooleanField(default=False)
    reversao_ref = models.TextField(null=True)
    erro = models.TextField(null=True)
    request_id = models.TextField(null=True)
    trace_id = models.TextField(null=True)
    informado_em = models.DateTimeField(null=True)
    linha_hash = models.BinaryField()

    objects: ClassVar[TrailManager] = TrailManager()

    class Meta:
        managed = False
        db_table = "agente_acao"

    def __str__(self) -> str:
        return f"{self.acao} {self.resultado}"

    def save(self, *_args: Any, **_values: Any) -> NoReturn:
        raise ReadOnlyError("the trail is written by audit.trail")
