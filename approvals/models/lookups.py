"""What a destination has open, as the worker last saw it: a copy that informs and decides nothing."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from opspilot.tenancy.models import TenantModel


class OpenIssueList(TenantModel):
    """The newest open issues of one project at the remote. Refreshed while a proposal waits for a
    decision about that project, and never by the web process."""

    destino_hash = models.CharField(max_length=32)  # that of the proposals it is read for
    project = models.BigIntegerField()  # the remote's own number of it
    wanted_until = models.DateTimeField()
    issues = models.JSONField(default=list)
    complete = models.BooleanField(default=False)  # false: the project has more than was read
    outcome = models.CharField(max_length=30, default="", blank=True)  # of the last try
    looked_at = models.DateTimeField(null=True)  # the last try that read the list
    tried_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(db_default=Now())
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "open_issue_list"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="open_issue_list_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "destino_hash"], name="open_issue_list_target"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project} {self.outcome}"
