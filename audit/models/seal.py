"""The seal of the trail: signed windows in a chain, the keys that signed, and what checking found."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from opspilot.tenancy.models import TenantModel


class TrailSeal(TenantModel):
    """One closed window: how many rows it had and the Merkle root over their hashes.

    It covers `from_at` (the end of the seal before) up to `until_at`; its rows lie in the last hour.
    `hash` is what the next seal carries as `previous`. Insert-only, and the database takes only the
    one that follows the newest, of an hour that is over.
    """

    number = models.IntegerField()
    from_at = models.DateTimeField()
    until_at = models.DateTimeField()
    rows = models.IntegerField()
    first_row = models.BigIntegerField()
    last_row = models.BigIntegerField()
    root = models.CharField(max_length=64)
    previous = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()
    hash = models.CharField(max_length=64)
    key = models.CharField(max_length=64)
    signature = models.CharField(max_length=128)

    class Meta:
        db_table = "trail_seal"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="trail_seal_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "number"], name="trail_seal_number"),
            models.CheckConstraint(
                name="trail_seal_sane",
                condition=Q(
                    number__gte=1,
                    rows__gte=1,
                    from_at__lt=F("until_at"),
                    until_at__lte=F("sealed_at"),
                    hash__regex="^[0-9a-f]{64}$",
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.until_at:%Y-%m-%d %H:%M}"


class TrailKey(TenantModel):
    """A public key that seals this company's trail, from its first seal on. Insert-only.

    `endorsement` is the signature of the key before over this one: a key that nobody presented is
    trusted only by who knows it from elsewhere. One that was written down before it was presented has
    a second line with the endorsement.
    """

    fingerprint = models.CharField(max_length=64)
    public_key = models.CharField(max_length=64)
    since = models.DateTimeField(db_default=Now())
    endorsed_by = models.CharField(max_length=64, blank=True, default="", db_default="")
    endorsement = models.CharField(max_length=128, blank=True, default="", db_default="")

    class Meta:
        db_table = "trail_key"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="trail_key_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "fingerprint", "endorsed_by", "endorsement"],
                name="trail_key_once",
            ),
        ]

    def __str__(self) -> str:
        return self.fingerprint[:16]


class SealFault(models.TextChoices):
    """Why the worker could not seal; empty when it could."""

    NO_KEY = "sem_chave"
    BAD_KEY = "chave_ilegivel"
    OPEN_WRITER = "gravacao_aberta"
    BAD_SEAL = "selo_sem_prova"


class TrailWatch(TenantModel):
    """When the worker seals this company's trail again, and what kept it from sealing the last time."""

    fault = models.CharField(
        max_length=20, choices=SealFault.choices, blank=True, default="", db_default=""
    )
    looked_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(db_default=Now())
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "trail_watch"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="trail_watch_tenant_id"),
            models.UniqueConstraint(fields=["tenant"], name="trail_watch_once"),
        ]

    def __str__(self) -> str:
        return self.fault or "ok"


class TrailVerification(TenantModel):
    """One check by the worker: the windows of `from_at` up to `until_at`. Insert-only.

    `first_bad` says which window was the first that is not as it was sealed: number, state, reason.
    `head_number` and `head_hash` are the newest seal it saw, which every later check must find again.
    """

    from_at = models.DateTimeField()
    until_at = models.DateTimeField()
    at = models.DateTimeField(db_default=Now())
    windows = models.IntegerField()
    rows = models.IntegerField()
    good = models.BooleanField()
    first_bad = models.JSONField(default=dict, db_default={})
    head_number = models.IntegerField(null=True)
    head_hash = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        db_table = "trail_verification"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="trail_verification_tenant_id"),
        ]
        indexes = [models.Index(fields=["tenant", "-id"], name="trail_verification_newest")]

    def __str__(self) -> str:
        return f"{self.from_at:%Y-%m-%d} {'ok' if self.good else self.first_bad.get('state', '')}"
