"""Where a company's webhooks go, what has been told, and to whom: data, no workflow."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from approvals.models import AgenteAprovacao
from opspilot.tenancy.models import TenantModel


class Kind(models.TextChoices):
    """What is told about a proposal."""

    PENDENTE = "pendente", _("espera por uma decisão")
    ALERTA = "alerta", _("o prazo está acabando")
    ESCALADA = "escalada", _("passou também a outro papel")
    DECISAO = "decisao", _("foi decidida ou expirou")
    RESULTADO = "resultado", _("resultado desconhecido ou divergente")
    RASCUNHO = "rascunho", _("uma política espera outro admin")
    PERMISSAO = "permissao", _("uma permissão espera outro admin")
    RELATORIO = "relatorio", _("um relatório salvo tem resposta")
    TESTE = "teste", _("teste do destino")


class Urgency(models.TextChoices):
    AGORA = "agora", _("na hora")
    RESUMO = "resumo", _("no resumo")


class NoticeState(models.TextChoices):
    PENDENTE = "pendente", _("na fila")
    ENVIADO = "enviado", _("enviado")
    FALHOU = "falhou", _("não saiu")
    DESCARTADO = "descartado", _("não era mais preciso")


class Format(models.TextChoices):
    PADRAO = "padrao", _("Standard Webhooks")
    SLACK = "slack", _("Slack")
    TEAMS = "teams", _("Microsoft Teams")


class Destination(TenantModel):
    """A place of the company's choice. Its signing secret is derived, never stored (`secrets`)."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    url = models.CharField(
        max_length=500
    )  # may hold a secret of the other side's: never shown whole
    format = models.CharField(max_length=10, choices=Format.choices, default=Format.PADRAO)
    active = models.BooleanField(default=True)
    off_reason = models.CharField(max_length=30, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=200)

    class Meta:
        db_table = "notice_destination"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="notice_destination_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="notice_destination_tenant_ref"),
        ]

    def __str__(self) -> str:
        return self.name


class Telling(TenantModel):
    """An event that was spread to everybody it concerns. Insert-only: the one row says that nobody
    needs to be looked for again. `about` tells two events of one kind apart; without a proposal it
    is the ref of what waits for a second admin."""

    approval = models.ForeignKey(
        AgenteAprovacao,
        models.PROTECT,
        null=True,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    about = models.CharField(max_length=40, blank=True, default="")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "notice_telling"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="notice_telling_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "approval", "kind", "about"], name="notice_telling_once"
            ),
            models.UniqueConstraint(
                fields=["tenant", "kind", "about"],
                condition=models.Q(approval=None),
                name="notice_telling_once_without_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.approval_id} {self.kind}"


class Notice(TenantModel):
    """One thing to tell one recipient once: `usuario:<id>`, `destino:<ref>` or `agente:<slug>`.
    `about`, without a proposal: the ref of what waits for a second admin.

    No text: the letter is written when it is sent, from what is true then.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    approval = models.ForeignKey(
        AgenteAprovacao,
        models.PROTECT,
        null=True,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    about = models.CharField(max_length=40, blank=True, default="", db_default="")
    recipient = models.CharField(max_length=80)
    urgency = models.CharField(max_length=8, choices=Urgency.choices)
    state = models.CharField(
        max_length=12, choices=NoticeState.choices, default=NoticeState.PENDENTE
    )
    outcome = models.CharField(max_length=40, blank=True, default="")  # of the last try
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    next_at = models.DateTimeField(db_default=Now())
    settled_at = models.DateTimeField(null=True)
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "notice"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="notice_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "approval", "kind", "recipient"], name="notice_once"
            ),
            models.UniqueConstraint(
                fields=["tenant", "kind", "about", "recipient"],
                condition=models.Q(approval=None) & ~models.Q(about=""),
                name="notice_once_without_one",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_at"], name="notice_due", condition=models.Q(state="pendente")
            ),
            models.Index(fields=["tenant", "state", "id"], name="notice_by_state"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.recipient} {self.state}"
