"""What the worker last found at each remote: it informs, and decides nothing."""

from __future__ import annotations

from django.db import models

from opspilot.tenancy.models import TenantModel


class Connector(models.TextChoices):
    GITLAB = "gitlab", "GitLab"
    SEMAPHORE = "semaphore", "Semaphore"


class ConnectorCheck(TenantModel):
    """The last whole check of one connector with what the company's policy allows."""

    connector = models.CharField(max_length=20, choices=Connector.choices)
    findings = models.JSONField(default=list)  # {check, state, facts}, in the order they were asked
    worst = models.CharField(max_length=10, default="", blank=True)  # "" before the first check
    # "sem_politica", "politica_ilegivel", "nao_configurado": why less was asked than there could be
    basis = models.CharField(max_length=30, default="", blank=True)
    checked_at = models.DateTimeField(null=True)
    pressed_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)  # null: only when somebody asks
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "connector_check"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="connector_check_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "connector"], name="connector_check_once"),
        ]

    def __str__(self) -> str:
        return f"{self.connector} {self.worst}"
