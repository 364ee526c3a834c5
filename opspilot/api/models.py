"""Agents, their tokens and what the door keeps about their requests: data, no workflow."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from opspilot.tenancy.models import TenantModel, User

NAME_LENGTH = 80
SLUG_LENGTH = 60


class Agent(TenantModel):
    """A program of the company that asks by itself. `slug` is permanent: the trail names it by that.

    `callback_number` counts its signing secrets: each is derived, none is stored (`callbacks`).
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    slug = models.CharField(max_length=SLUG_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    purpose = models.CharField(max_length=300)
    owner = models.ForeignKey(User, models.PROTECT, related_name="+", db_index=False)
    active = models.BooleanField(default=True)
    pause_reason = models.CharField(max_length=300, blank=True, default="", db_default="")
    version = models.CharField(max_length=60, blank=True, default="", db_default="")
    model = models.CharField(max_length=120, blank=True, default="")
    instruction_hash = models.CharField(max_length=64, blank=True, default="")
    callback_url = models.CharField(max_length=500, blank=True, default="")
    callback_number = models.IntegerField(default=0)
    callback_rotated_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=200)

    class Meta:
        db_table = "agent"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="agent_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="agent_tenant_ref"),
            models.UniqueConstraint(fields=["tenant", "slug"], name="agent_tenant_slug"),
        ]

    def __str__(self) -> str:
        return self.slug


class AgentOwnerChange(TenantModel):
    """Somebody gave an agent to somebody else: subjects, each as it was. Insert-only."""

    agent = models.ForeignKey(
        Agent, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    before = models.CharField(max_length=80)
    after = models.CharField(max_length=80)
    by = models.CharField(max_length=80)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "agent_owner_change"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="agent_owner_change_tenant_id"),
        ]
        indexes = [
            models.Index(fields=["tenant", "agent", "at"], name="agent_owner_change_of"),
        ]

    def __str__(self) -> str:
        return f"{self.before} {self.after}"


class AgentToken(TenantModel):
    """A key to the door, of which only the HMAC is kept. The database lets it end sooner, never
    later. `issued_before`: the subject of who issued the one it took the place of, if any."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    agent = models.ForeignKey(
        Agent, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    prefix = models.CharField(max_length=20)
    hash = models.CharField(max_length=64)
    scopes = ArrayField(models.CharField(max_length=40))  # of `scopes.Scope`
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.CharField(max_length=200)
    issued_before = ArrayField(models.TextField(), default=list, db_default=[])
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.CharField(max_length=200, blank=True, default="")
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "agent_token"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="agent_token_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="agent_token_tenant_ref"),
            models.UniqueConstraint(fields=["tenant", "hash"], name="agent_token_tenant_hash"),
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("created_at")),
                name="agent_token_ends_after_it_began",
            ),
        ]
        indexes = [
            # Looked up before a tenant is known.
            models.Index(fields=["hash"], name="agent_token_hash"),
            models.Index(fields=["tenant", "agent", "id"], name="agent_token_of"),
        ]

    def __str__(self) -> str:
        return self.prefix


class AgentWindow(TenantModel):
    """How many requests an agent has made in the running minute."""

    agent = models.ForeignKey(
        Agent, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    started_at = models.DateTimeField()
    used = models.IntegerField()

    class Meta:
        db_table = "agent_window"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="agent_window_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "agent"], name="agent_window_once"),
        ]

    def __str__(self) -> str:
        return f"{self.agent_id} {self.used}"


class IdempotencyKey(TenantModel):
    """A key an agent gave to a POST, as hashes, with the answer once there is one.

    Without an answer the request is under way until `lease_until`; `claim` says whose it is.
    """

    agent = models.ForeignKey(
        Agent, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    key_hash = models.CharField(max_length=64)
    request_hash = models.CharField(max_length=64)
    claim = models.UUIDField()
    lease_until = models.DateTimeField()
    expires_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(blank=True, default="")
    location = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        db_table = "idempotency_key"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="idempotency_key_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "agent", "key_hash"], name="idempotency_key_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.agent_id} {self.status}"


class ReportedAction(TenantModel):
    """The key an agent gave to an action it reported, as a hash, and the row it became. Insert-only,
    and kept: the trail is in months, so no key in it could be unique across their turn.

    `body_hash` is keyed: what was reported may have had a document number in it.
    """

    agent = models.ForeignKey(
        Agent, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    key_hash = models.CharField(max_length=64)
    body_hash = models.CharField(max_length=64)
    trail_row = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "reported_action"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="reported_action_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "agent", "key_hash"], name="reported_action_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.agent_id} {self.trail_row}"
