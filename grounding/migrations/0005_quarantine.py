"""A file in quarantine with who decided about it, what a zip held, and a version's original format."""

from __future__ import annotations

from django.db import migrations, models

STATES = [
    ("uploaded", "verificando"),
    ("extracted", "lido"),
    ("needs_review", "em quarentena"),
    ("approved", "ativo"),
    ("same", "igual a existente"),
    ("superseded", "substituído"),
    ("unpacked", "aberto"),
    ("rejected", "recusado"),
]

PARENT = """
ALTER TABLE upload ADD CONSTRAINT upload_parent_id_tenant
    FOREIGN KEY (tenant_id, parent_id) REFERENCES upload (tenant_id, id)
"""


def words(length: int) -> models.CharField:
    return models.CharField(blank=True, db_default="", default="", max_length=length)


class Migration(migrations.Migration):
    dependencies = [("grounding", "0004_access")]

    operations = [
        migrations.AlterField(
            "upload",
            "state",
            models.CharField(choices=STATES, default="uploaded", max_length=12),
        ),
        migrations.AddField("upload", "parent_id", models.BigIntegerField(null=True)),
        migrations.RunSQL(PARENT, migrations.RunSQL.noop),
        migrations.AddField("upload", "reviewed_by", words(80)),
        migrations.AddField("upload", "reviewed_by_name", words(80)),
        migrations.AddField("upload", "review_reason", words(500)),
        migrations.AddField("upload", "review_seal", words(64)),
        migrations.AddField(
            "version",
            "kind",
            models.CharField(db_default="text", default="text", max_length=12),
        ),
    ]
