"""Collections, documents, versions, chunks, postings and vectors."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from opspilot.tenancy.models import TenantModel

DIMENSIONS = 384


class DocumentKind(models.TextChoices):
    RUNBOOK = "runbook", _("runbook")
    POLICY = "politica", _("política")
    PROCEDURE = "procedimento", _("procedimento")
    CONTACT = "contato", _("contato")
    OTHER = "outro", _("outro")


class Collection(TenantModel):
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(db_default=Now())
    # What a new document of the collection starts with.
    default_dono = models.CharField(max_length=80, default="", db_default="", blank=True)
    default_tipo = models.CharField(
        max_length=12, choices=DocumentKind.choices, default="", db_default="", blank=True
    )
    default_review_days = models.PositiveIntegerField(null=True)

    class Meta:
        db_table = "collection"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="collection_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "slug"], name="collection_tenant_slug"),
        ]

    def __str__(self) -> str:
        return self.name


class Document(TenantModel):
    """What a file name stands for inside a collection, across its versions.

    `dono` is the subject of a person or a role; `data` the day of its newest version. A deleted one
    stays as a row without text, and its name is free again.
    """

    ref = models.UUIDField(default=uuid.uuid4, editable=False)
    collection = models.ForeignKey(
        Collection, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    name = models.CharField(max_length=255)  # the path inside the collection, unique there
    created_at = models.DateTimeField(db_default=Now())
    dono = models.CharField(max_length=80, default="", db_default="", blank=True)
    tipo = models.CharField(
        max_length=12,
        choices=DocumentKind.choices,
        default=DocumentKind.OTHER,
        db_default=DocumentKind.OTHER.value,
    )
    data = models.DateField(db_default=Now())
    review_by = models.DateField(null=True)  # from the day after on, whoever cites it is warned
    retired_at = models.DateTimeField(null=True)  # no version is active; what was cited is readable
    retired_reason = models.CharField(max_length=500, default="", db_default="", blank=True)
    removal_asked_at = models.DateTimeField(null=True)  # its source no longer has the file
    deleted_at = models.DateTimeField(null=True)
    deleted_by = models.CharField(max_length=80, default="", db_default="", blank=True)
    deleted_by_name = models.CharField(max_length=80, default="", db_default="", blank=True)
    deleted_reason = models.CharField(max_length=500, default="", db_default="", blank=True)

    class Meta:
        db_table = "document"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="document_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "ref"], name="document_tenant_ref"),
            models.UniqueConstraint(
                fields=["tenant", "collection", "name"],
                condition=models.Q(deleted_at__isnull=True),
                name="document_tenant_name",
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
    text_sha256 = models.CharField(max_length=64, default="", db_default="", blank=True)
    kind = models.CharField(max_length=12, default="text", db_default="text")  # of the original
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
        indexes = [
            models.Index(
                fields=["tenant", "text_sha256"],
                name="document_version_text",
                condition=models.Q(active=True),
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
    # Of a fence or a table that was cut: its opening and its end, shown and searched, never quoted.
    lead = models.TextField(default="", db_default="", blank=True)
    tail = models.TextField(default="", db_default="", blank=True)
    length = models.IntegerField()  # terms, for BM25

    class Meta:
        db_table = "chunk"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "id"], name="chunk_tenant_id"),
            models.UniqueConstraint(fields=["tenant", "version", "ordinal"], name="chunk_ordinal"),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "version"], include=["id", "length"], name="chunk_search"
            ),
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
            models.UniqueConstraint(
                fields=["tenant", "term", "chunk"], include=["frequency"], name="posting_term"
            ),
        ]
        indexes = [models.Index(fields=["tenant", "chunk"], name="posting_chunk")]

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
