"""Who may read a collection, and what was seen each time somebody asked."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now

from grounding.models.knowledge import Collection
from opspilot.tenancy.models import TenantModel


class ReaderEntry(TenantModel):
    """One act: a subject (`papel:…` or `agente:…`) may read a collection from here on, or not.

    Only grows. The newest entry of a pair is what holds, so a number says what held at any time.
    """

    number = models.IntegerField()  # counts the tenant's own entries
    collection = models.ForeignKey(
        Collection, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    subject = models.CharField(max_length=100)
    granted = models.BooleanField()
    reason = models.CharField(max_length=500)
    by = models.CharField(max_length=80)
    by_name = models.CharField(max_length=80)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "collection_reader"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="collection_reader_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "number"], name="collection_reader_number"),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "collection", "subject", "-number"], name="collection_reader_of"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {'+' if self.granted else '-'} {self.collection_id}"


class Receipt(TenantModel):
    """What one consult saw, so that it can be looked at again. Never the question's text.

    `passages` are (trecho, versao, sha256, pontos): the texts stand in the documents.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    run = models.UUIDField(null=True)  # the run's ref; null = no run asked
    asker = models.CharField(max_length=100)
    asker_name = models.CharField(max_length=120)
    query_hmac = models.CharField(max_length=64)
    grants = models.IntegerField()  # the number of the newest `ReaderEntry` that was looked at
    collections = models.JSONField()  # ids of those consulted
    not_granted = models.IntegerField()  # how many were asked for and not granted
    filters = models.JSONField()
    top_k = models.IntegerField()
    passages = models.JSONField()
    space = models.CharField(max_length=200)
    chunkers = models.JSONField()
    calibration = models.CharField(max_length=40)
    coverage = models.CharField(max_length=10)
    probability = models.FloatField()
    reasons = models.JSONField()
    latency_ms = models.JSONField()  # by part
    request_id = models.CharField(max_length=64)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "consult_receipt"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="consult_receipt_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="consult_receipt_tenant_ref"),
        ]
        indexes = [models.Index(fields=["tenant", "run"], name="consult_receipt_of_run")]

    def __str__(self) -> str:
        return f"{self.asker} {self.coverage}"
