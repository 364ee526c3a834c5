"""What all processes know together of a remote. Global tables: a remote is nobody's company."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now


class BreakerState(models.TextChoices):
    CLOSED = "closed"
    OPEN = "open"


class Breaker(models.Model):
    """One a connector, from its first fault on. Half-open: open, and `probe_until` not yet over."""

    connector = models.CharField(max_length=40, primary_key=True)
    state = models.CharField(max_length=8, db_default=BreakerState.CLOSED)
    failures = models.PositiveIntegerField(db_default=0)
    opened_at = models.DateTimeField(null=True)
    probe_token = models.UUIDField(null=True)
    probe_until = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "connector_breaker"
        constraints = [
            models.CheckConstraint(
                name="connector_breaker_state",
                condition=models.Q(state=BreakerState.CLOSED, opened_at=None)
                | models.Q(state=BreakerState.OPEN, opened_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.connector}: {self.state}"


class Slot(models.Model):
    """One of the calls a connector may have at a time: held until `until`, else free."""

    pk = models.CompositePrimaryKey("connector", "n")
    connector = models.CharField(max_length=40)
    n = models.PositiveSmallIntegerField()
    holder_token = models.UUIDField(null=True)
    until = models.DateTimeField(null=True)
    tenant_id = models.UUIDField(null=True)

    class Meta:
        db_table = "connector_slot"

    def __str__(self) -> str:
        return f"{self.connector} {self.n}"


class Waiting(models.Model):
    """A company that found no slot lately: until then the others keep to their share."""

    pk = models.CompositePrimaryKey("connector", "tenant_id")
    connector = models.CharField(max_length=40)
    tenant_id = models.UUIDField()
    until = models.DateTimeField()

    class Meta:
        db_table = "connector_waiting"

    def __str__(self) -> str:
        return f"{self.connector}: {self.tenant_id}"


class Pressure(models.Model):
    """How much more there is to do than is being done: the one row, as the worker last saw it.

    `level` is how many kinds of work wait outside, the least urgent first; `looks` in a row asked
    for another level, more of them above zero and less below.
    """

    id = models.PositiveSmallIntegerField(primary_key=True)
    level = models.PositiveSmallIntegerField(db_default=0)
    looks = models.SmallIntegerField(db_default=0)
    slots_held = models.FloatField(db_default=0)  # the share of the fullest model's
    waiting = models.PositiveIntegerField(db_default=0)
    oldest_seconds = models.FloatField(db_default=0)
    measured_at = models.DateTimeField(db_default=Now())
    since = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "pressure"
        constraints = [
            models.CheckConstraint(name="pressure_is_one_row", condition=models.Q(id=1)),
        ]

    def __str__(self) -> str:
        return f"pressure {self.level}"
