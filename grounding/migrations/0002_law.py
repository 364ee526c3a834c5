"""Row level security of the knowledge tables."""

from __future__ import annotations

from django.db import migrations

from opspilot.tenancy.schema import tenant_table


class Migration(migrations.Migration):
    dependencies = [("grounding", "0001_initial"), ("tenancy", "0002_law")]

    operations = [
        tenant_table("collection", reader=True),
        tenant_table("document", reader=True, references=[("collection_id", "collection")]),
        tenant_table(
            "document_version",
            app="SELECT, INSERT, UPDATE (active, replaced_at)",
            reader=True,
            references=[("document_id", "document")],
        ),
        tenant_table("chunk", references=[("version_id", "document_version")]),
        tenant_table("posting", references=[("chunk_id", "chunk")]),
        tenant_table("chunk_vector", references=[("chunk_id", "chunk")]),
        tenant_table(
            "upload",
            app="SELECT, INSERT, UPDATE",
            reader=True,
            definer_reads=True,
            references=[("collection_id", "collection"), ("version_id", "document_version")],
        ),
    ]
