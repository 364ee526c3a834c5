"""A second embedding space and the upkeep of an index, for the tests of both."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models.functions import Now

from grounding.models import Collection, KnowledgeIndex
from grounding.upkeep import lane, standing
from opspilot.connectors import readers
from opspilot.connectors.errors import UnavailableError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope


class OtherModel:
    """The bundled vectors under another model's name; `down` after so many passages."""

    space = "outro-modelo/abcdef12/384/noprefix/l2"
    dimensions = 384

    def __init__(self, *, answers: int = 1_000_000) -> None:
        self.answers = answers

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        if self.answers < len(texts):
            raise UnavailableError("the endpoint did not answer")
        self.answers -= len(texts)
        return readers.embedder("bundled").embed_passages(texts)

    def embed_query(self, text: str) -> list[float]:
        return readers.embedder("bundled").embed_query(text)


def looked_after(tenant: Tenant) -> KnowledgeIndex:
    """One turn of the worker over the company's index, whenever it would be due."""
    with tenant_scope(tenant.pk):
        row = standing.made()
        KnowledgeIndex.objects.filter(pk=row.pk).update(next_at=Now())
    lane.advance(tenant_id=tenant.pk, index_id=row.pk)
    return index_of(tenant)


def index_of(tenant: Tenant) -> KnowledgeIndex:
    with tenant_scope(tenant.pk):
        return KnowledgeIndex.objects.get()


def collections_of(tenant: Tenant) -> list[int]:
    with tenant_scope(tenant.pk):
        return list(Collection.objects.values_list("pk", flat=True))
