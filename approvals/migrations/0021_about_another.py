"""A proposal about the effect of another one: undoing it, or sending it again."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

SAME_TENANT = """
ALTER TABLE agente_aprovacao ADD CONSTRAINT agente_aprovacao_sobre_tenant
  FOREIGN KEY (tenant_id, sobre_id) REFERENCES agente_aprovacao (tenant_id, id)
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0020_in_whose_name")]

    operations = [
        migrations.AddField(
            "agenteaprovacao",
            "sobre",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="approvals.agenteaprovacao",
            ),
        ),
        migrations.AddIndex(
            "agenteaprovacao",
            models.Index(
                condition=models.Q(("sobre__isnull", False)),
                fields=["tenant", "sobre", "id"],
                name="agente_aprovacao_sobre",
            ),
        ),
        migrations.AddConstraint(
            "agenteaprovacao",
            models.UniqueConstraint(
                condition=models.Q(("estado", "pendente"), ("sobre__isnull", False)),
                fields=("tenant", "sobre", "acao"),
                name="agente_aprovacao_sobre_uma",
            ),
        ),
        migrations.RunSQL(
            SAME_TENANT,
            "ALTER TABLE agente_aprovacao DROP CONSTRAINT agente_aprovacao_sobre_tenant",
        ),
    ]
