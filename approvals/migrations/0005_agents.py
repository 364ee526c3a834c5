"""What a proposal says of the agent that made it, and which rules its handler must know.

Every column has a default in the database: an older release keeps writing proposals.
"""

from __future__ import annotations

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("approvals", "0004_dialogue_law")]

    operations = [
        migrations.AddField(
            "agenteaprovacao",
            "agente",
            models.CharField(db_default="", default="", max_length=60),
        ),
        migrations.AddField(
            "agenteaprovacao",
            "agente_dono",
            models.CharField(db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            "agenteaprovacao",
            "modelo",
            models.CharField(db_default="", default="", max_length=120),
        ),
        migrations.AddField(
            "agenteaprovacao",
            "instrucao_hash",
            models.CharField(db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            "agenteaprovacao",
            "recursos",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=60),
                db_default=[],
                default=list,
                size=None,
            ),
        ),
    ]
