"""A run (rodada): one request from question or command to its end; its ref is the correlation id."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel

SCHEMA_VERSION = 2  # the newest rules this code knows; a claim never takes a newer row (I12)


class RunKind(models.TextChoices):
    QUESTION = "question", _("pergunta")
    COMMAND = "command", _("comando explícito")


class RunState(models.TextChoices):
    QUEUED = "queued", _("na fila")
    RUNNING = "running", _("procurando")
    ANSWERED = "answered", _("respondida")
    ABSTAINED = "abstained", _("sem base")
    PREPARED = "prepared", _("preparada")
    ASKS = "asks", _("falta dizer algo")
    HANDOVER = "handover", _("com uma pessoa")
    REFUSED = "refused", _("recusada")
    REVIEW = "review", _("em revisão")
    STOPPED = "stopped", _("parada")
    COMMAND = "command", _("comando registrado")
    FAILED = "failed", _("não concluída")


class Run(TenantModel):
    """The request's text lives here, with its own access and its own term; the trail keeps only a
    reference. `steps_from`: the number of the last step that belongs to an earlier try."""

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
    embedded = models.BooleanField(default=False, db_default=False)  # go on by rules, no model
    steps_from = models.IntegerField(default=0, db_default=0)
    try_after = models.DateTimeField(null=True)  # of an outage: before it a new try makes no sense
    stop_by = models.CharField(max_length=200, default="", db_default="", blank=True)
    held_by = models.CharField(max_length=200, default="", db_default="", blank=True)
    text_gone_at = models.DateTimeField(null=True)

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
            models.Index(
                fields=["tenant", "-id"],
                name="run_with_people",
                condition=models.Q(state__in=["handover", "review"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class StepOutcome(models.TextChoices):
    """As the planner is told of it."""

    DONE = "done", _("feito")
    REFUSED = "refused", _("recusado")
    INVALID = "invalid", _("não compreendido")


class RunStep(TenantModel):
    """One call that was planned, and what came of it. Only added to; of an old one the arguments are
    taken away, with the request they came from. Tokens and cost: null = nobody knows. `tool` is
    empty where what was planned could not be read."""

    run = models.ForeignKey(
        Run, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    number = models.IntegerField()
    tool = models.CharField(max_length=20, blank=True)
    arguments = models.JSONField(default=dict)
    outcome = models.CharField(max_length=10, choices=StepOutcome.choices)
    code = models.CharField(max_length=40, default="", blank=True)
    coverage = models.CharField(max_length=10, default="", blank=True)
    receipt = models.UUIDField(null=True)  # of a search: what it found
    duration_ms = models.IntegerField()
    planner = models.CharField(max_length=80)
    instruction_hash = models.CharField(max_length=64)
    model_asked = models.CharField(max_length=80, default="", blank=True)
    model_served = models.CharField(max_length=80, default="", blank=True)
    tokens_in = models.IntegerField(null=True)
    tokens_out = models.IntegerField(null=True)
    cost = models.DecimalField(max_digits=18, decimal_places=6, null=True)  # centavos
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "run_step"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "run", "number"], name="run_step_number"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.tool} {self.outcome}"
