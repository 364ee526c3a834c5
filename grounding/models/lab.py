"""The laboratory: what was asked there, labelled questions, and which fusion is in force."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from opspilot.tenancy.models import TenantModel


class LabState(models.TextChoices):
    """`asked` is history alone; `waiting` came from an answer that did not help; `test` is measured."""

    ASKED = "asked", _("histórico")
    WAITING = "waiting", _("a rotular")
    TEST = "test", _("pergunta de teste")
    DROPPED = "dropped", _("descartada")


class LabQuestion(TenantModel):
    """`expected` are ids of documents, any of which answers it; none = nothing published does."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    text = models.CharField(max_length=2_000)
    language = models.CharField(max_length=2, blank=True)
    state = models.CharField(max_length=10, choices=LabState.choices)
    expected = models.JSONField(default=list)
    run = models.UUIDField(null=True)  # the run whose answer did not help
    note = models.CharField(max_length=500, blank=True)
    by = models.CharField(max_length=80)
    by_name = models.CharField(max_length=80)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "lab_question"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="lab_question_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="lab_question_tenant_ref"),
            models.UniqueConstraint(
                fields=["tenant", "run"],
                condition=models.Q(run__isnull=False),
                name="lab_question_one_a_run",
            ),
        ]
        indexes = [models.Index(fields=["tenant", "state", "-at"], name="lab_question_by_state")]

    def __str__(self) -> str:
        return f"{self.state} {self.ref}"


class Fusion(models.TextChoices):
    Z_SCORES = "z100", _("soma de z-scores")
    RANKS = "rrf60", _("posições recíprocas (RRF)")


class FusionChoice(TenantModel):
    """How the legs are joined from now on. Insert-only: the newest number holds; without one, the
    sum of z-scores does. `figures` is what the labelled questions said of both before."""

    number = models.IntegerField()
    fusion = models.CharField(max_length=10, choices=Fusion.choices)
    figures = models.JSONField()
    reason = models.CharField(max_length=500, blank=True)
    by = models.CharField(max_length=80)
    by_name = models.CharField(max_length=80)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "fusion_choice"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "number"], name="fusion_choice_number"),
        ]

    def __str__(self) -> str:
        return f"{self.fusion} {self.number}"
