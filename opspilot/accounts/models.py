"""Letters that wait for the worker. Global: a person's mail belongs to no tenant."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from opspilot.tenancy.models import User


class MailKind(models.TextChoices):
    RESET = "redefinir_senha"
    PASSWORD_RESET = "senha_redefinida"  # noqa: S105 - a kind of letter
    PASSWORD_CHANGED = "senha_trocada"  # noqa: S105 - a kind of letter
    APP_ADDED = "aplicativo_ligado"
    APP_REMOVED = "aplicativo_removido"
    CODES_MADE = "codigos_gerados"
    KEY_ADDED = "chave_adicionada"
    KEY_REMOVED = "chave_removida"


class MailState(models.TextChoices):
    PENDING = "pendente"
    SENT = "enviada"
    FAILED = "falhou"
    DROPPED = "descartada"  # asked for an address of no account: written all the same, never sent


class OutgoingMail(models.Model):
    """What to say to whom. No secret and no text: the worker makes both when it sends."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=30, choices=MailKind.choices)
    state = models.CharField(max_length=12, choices=MailState.choices, default=MailState.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    next_at = models.DateTimeField(db_default=Now())
    settled_at = models.DateTimeField(null=True)
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "outgoing_mail"
        indexes = [
            models.Index(
                fields=["next_at"],
                name="outgoing_mail_due",
                condition=models.Q(state=MailState.PENDING),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"
