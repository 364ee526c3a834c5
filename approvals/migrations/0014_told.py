"""Finds what was decided lately and what waits for a person to look at, over all tenants."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("approvals", "0013_two_subjects")]

    operations = [
        migrations.AddIndex(
            "agenteaprovacao",
            models.Index(
                fields=["decidida_em"],
                name="agente_aprovacao_decidida_em",
                condition=models.Q(decidida_em__isnull=False),
            ),
        ),
        migrations.AddIndex(
            "execution",
            models.Index(
                fields=["state", "id"],
                name="execution_incident",
                condition=models.Q(state__in=["desconhecida", "divergente"]),
            ),
        ),
    ]
