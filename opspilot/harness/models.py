"""A run (rodada): one request from question or command to its end; its ref is the correlation id."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel

SCHEMA_VERSION = 1  # the newest rules this code knows; a claim never takes a newer row (I12)


class RunKind(models.TextChoices):
    QUESTION = "question", _("pergunta")
    COMMAND = "command", _("comando explícito")


class RunState(models.TextChoices):
    QUEUED = "queued", _("na fila")
    RUNNING = "running", _("procurando")
    ANSWERED = "answered", _("respondida")
    ABSTAINED = "abstained", _("sem base")
    COMMAND = "command", _("comando registrado")
    FAILED = "failed", _("não concluída")


class Run(TenantModel):
    """The question's text lives here, with its own access; the trail keeps only a reference."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=RunKind.choices)
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.QUEUED)
    requester = models.CharField(max_length=80)
    requester_name = models.CharField(max_length=80)
    question = models.TextField()
    collections = models.JSONField(default=list)
    answer = models.JSONField(default=dict)
    coverage = models.CharField(max_length=10, null=True)  # noqa: DJ001 - null = nothing consulted
    command = models.JSONField(default=dict)  # what the requester filled in, before confirming
    code = models.CharField(max_length=40, default="", blank=True)
    versao_esquema = models.IntegerField(default=1)
    attempts = models.IntegerField(default=0)
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "run"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="run_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="run_tenant_ref"),
        ]
        indexes = [
            models.Index(fields=["tenant", "requester", "-id"], name="run_of_requester"),
            models.Index(
                fields=["tenant", "state"],
                name="run_open",
                condition=models.Q(state__in=["queued", "running"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"
