"""Indexes that answer a search alone: a term's postings lie scattered over the whole table."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("grounding", "0008_links_and_sources")]

    operations = [
        migrations.RemoveConstraint("posting", "posting_term"),
        migrations.AddConstraint(
            "posting",
            models.UniqueConstraint(
                fields=("tenant", "term", "chunk"), include=("frequency",), name="posting_term"
            ),
        ),
        migrations.AddIndex(
            "posting", models.Index(fields=["tenant", "chunk"], name="posting_chunk")
        ),
        migrations.AddIndex(
            "chunk",
            models.Index(
                fields=["tenant", "version"], include=("id", "length"), name="chunk_search"
            ),
        ),
    ]
