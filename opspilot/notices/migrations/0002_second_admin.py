"""Notices about what waits for a second admin, which no proposal stands behind."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_initial"), ("approvals", "0009_external_law")]

    operations = [
        migrations.AddField(
            "notice",
            "about",
            models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.AlterField("telling", "about", models.CharField(blank=True, default="", max_length=40)),
        migrations.AlterField(
            "telling",
            "approval",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="approvals.agenteaprovacao",
            ),
        ),
        *(
            migrations.AlterField(
                model,
                "kind",
                models.CharField(
                    choices=[
                        ("pendente", "espera por uma decisão"),
                        ("alerta", "o prazo está acabando"),
                        ("escalada", "passou também a outro papel"),
                        ("decisao", "foi decidida ou expirou"),
                        ("resultado", "resultado desconhecido ou divergente"),
                        ("rascunho", "uma política espera outro admin"),
                        ("permissao", "uma permissão espera outro admin"),
                        ("teste", "teste do destino"),
                    ],
                    max_length=12,
                ),
            )
            for model in ("notice", "telling")
        ),
        migrations.AddConstraint(
            "telling",
            models.UniqueConstraint(
                fields=["tenant", "kind", "about"],
                condition=models.Q(approval=None),
                name="notice_telling_once_without_one",
            ),
        ),
        migrations.AddConstraint(
            "notice",
            models.UniqueConstraint(
                fields=["tenant", "kind", "about", "recipient"],
                condition=models.Q(("approval", None), models.Q(("about", ""), _negated=True)),
                name="notice_once_without_one",
            ),
        ),
    ]
