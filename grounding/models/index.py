"""How a collection is cut, and the state of a company's index: its space, its way of searching."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from grounding.models.knowledge import Collection
from opspilot.tenancy.models import TenantModel

SHORTEST_LIMIT, LONGEST_LIMIT = 400, 4_000  # characters of a passage that a policy may ask for


class ChunkingPolicy(TenantModel):
    """How the documents of a collection are cut from now on. Insert-only: the newest number holds."""

    collection = models.ForeignKey(
        Collection, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    number = models.IntegerField()
    limit = models.IntegerField()  # characters
    overlap = models.BooleanField()
    created_by = models.CharField(max_length=80)
    created_by_name = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "chunking_policy"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "collection", "number"], name="chunking_policy_number"
            ),
            models.CheckConstraint(
                name="chunking_policy_sane",
                condition=Q(number__gte=1, limit__range=(SHORTEST_LIMIT, LONGEST_LIMIT)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.collection_id} v{self.number}"


class Search(models.TextChoices):
    EXACT = "exata", _("exata")
    APPROXIMATE = "aproximada", _("aproximada")
    TURNED_OFF = "desligada", _("exata: a aproximada foi desligada")


class KnowledgeIndex(TenantModel):
    """One row a company. `space` is what questions are embedded in; `target` fills beside it.

    The switch is one UPDATE of this row; `previous` says whose vectors are still to be removed.
    """

    space = models.CharField(max_length=200)
    target = models.CharField(max_length=200, default="", db_default="", blank=True)
    previous = models.CharField(max_length=200, default="", db_default="", blank=True)
    done = models.IntegerField(default=0, db_default=0)  # passages that have a vector of `target`
    total = models.IntegerField(default=0, db_default=0)
    fault = models.CharField(max_length=40, default="", db_default="", blank=True)
    started_at = models.DateTimeField(null=True)
    switched_at = models.DateTimeField(null=True)
    search = models.CharField(
        max_length=12, choices=Search.choices, default=Search.EXACT, db_default=Search.EXACT
    )
    recall = models.FloatField(null=True)  # of the approximate search against the exact one
    recalled_at = models.DateTimeField(null=True)
    health = models.JSONField(default=dict, db_default={})
    looked_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(db_default=Now())
    attempts = models.IntegerField(default=0, db_default=0)
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "knowledge_index"
        constraints = [
            models.UniqueConstraint(fields=["tenant"], name="knowledge_index_one"),
            models.CheckConstraint(
                name="knowledge_index_sane", condition=~Q(target=F("space")) & ~Q(space="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.space} → {self.target}" if self.target else self.space
