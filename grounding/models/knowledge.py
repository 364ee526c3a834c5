"""Collections, documents, versions, chunks, postings and vectors."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from pgvector.django import VectorField

from opspilot.tenancy.models import TenantModel

DIMENSIONS = 384


class Collection(TenantModel):
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "collection"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="collection_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "slug"], name="collection_tenant_slug"),
        ]

    def __str__(self) -> str:
        return self.name


class Document(TenantModel):
    """What a file name stands for inside a collection, across its versions."""

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    collection = models.ForeignKey(
        Collection, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    name = models.CharField(max_length=255)  # the path inside the collection, unique there
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "document"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="document_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="document_tenant_ref"),
            models.UniqueConstraint(
                fields=["tenant", "collection", "name"], name="document_tenant_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Version(TenantModel):
    """One published text. At most one is active per document: the partial key says so."""

    document = models.ForeignKey(
        Document, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    number = models.IntegerField()
    title = models.CharField(max_length=255)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)  # of the file's bytes
    language = models.CharField(max_length=2)
    chunker = models.CharField(max_length=40)
    space = models.CharField(max_length=200)
    findings = models.JSONField(default=list)
    active = models.BooleanField(default=False)
    published_by = models.CharField(max_length=80)
    published_at = models.DateTimeField(db_default=Now())
    replaced_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "document_version"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="document_version_tenant_id"),
            models.UniqueConstraint(
                fields=["tenant", "document", "number"], name="document_version_number"
            ),
            models.UniqueConstraint(
                fields=["tenant", "document"],
                condition=models.Q(active=True),
                name="document_version_one_active",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} v{self.number}"


class Chunk(TenantModel):
    """A passage: `text` is exactly the version's text from `start` to `end` (code points)."""

    version = models.ForeignKey(
        Version, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    ordinal = models.IntegerField()
    heading_path = models.JSONField(default=list)
    text = models.TextField()
    searched = models.TextField()
    start = models.IntegerField()
    end = models.IntegerField()
    sha256 = models.CharField(max_length=64)  # of `text`
    length = models.IntegerField()  # terms, for BM25

    class Meta:
        db_table = "chunk"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="chunk_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "version", "ordinal"], name="chunk_ordinal"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}#{self.ordinal}"


class Posting(TenantModel):
    """How often a term stands in a chunk: BM25 by plain B-tree equality, which row level security
    leaves indexable (a text search operator is not leakproof and would not be)."""

    chunk = models.ForeignKey(
        Chunk, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    term = models.CharField(max_length=64)
    frequency = models.IntegerField()

    class Meta:
        db_table = "posting"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "term", "chunk"], name="posting_term"),
        ]

    def __str__(self) -> str:
        return self.term


class Vector(TenantModel):
    """A chunk's embedding in one space; vectors of different spaces are never compared."""

    chunk = models.ForeignKey(
        Chunk, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    space = models.CharField(max_length=200)
    embedding = VectorField(dimensions=DIMENSIONS)

    class Meta:
        db_table = "chunk_vector"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "chunk", "space"], name="chunk_vector_space"),
        ]

    def __str__(self) -> str:
        return f"{self.chunk_id}@{self.space}"
