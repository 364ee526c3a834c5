"""What a task runner says of a template before a task, and of a task while it runs: copies that
inform. What may run is the policy's to say, and what ran is the execution's."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from approvals.models.executions import Execution
from opspilot.tenancy.models import TenantModel


class TemplatePreflight(TenantModel):
    """A template as the worker last read it, for whoever is about to ask for a task of it."""

    project = models.IntegerField()  # the remote's own number of it
    template = models.IntegerField()
    wanted_until = models.DateTimeField()
    name = models.CharField(max_length=200, default="", blank=True)
    playbook = models.CharField(max_length=300, default="", blank=True)
    fingerprint = models.CharField(max_length=64, default="", blank=True)
    faults = models.JSONField(default=list)  # why it may not be run with a limit
    survey = models.JSONField(default=list)  # names, kinds and values: never a default
    # Names of the inventory; null = it cannot be seen, or has too many.
    hosts = models.JSONField(null=True)
    outcome = models.CharField(max_length=30, default="", blank=True)  # of the last try
    looked_at = models.DateTimeField(null=True)  # the last try that read it
    tried_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(db_default=Now())
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "template_preflight"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="template_preflight_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "project", "template"], name="template_preflight_template"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project}/{self.template} {self.outcome}"


class TaskOutput(TenantModel):
    """What a task printed, masked and cut, and what it came to on each host."""

    execution = models.ForeignKey(
        Execution, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    status = models.CharField(max_length=40)  # the remote's own word
    text = models.TextField(default="", blank=True)
    recap = models.JSONField(default=dict)  # host → ok, changed, failed, unreachable
    ended = models.BooleanField(default=False)
    seen_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "task_output"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="task_output_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "execution"], name="task_output_once"),
        ]

    def __str__(self) -> str:
        return f"{self.execution_id} {self.status}"
