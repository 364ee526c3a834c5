"""A kind of notice more: a saved report was answered. Only the choices change."""

from __future__ import annotations

from django.db import migrations, models

KINDS = [
    ("pendente", "espera por uma decisão"),
    ("alerta", "o prazo está acabando"),
    ("escalada", "passou também a outro papel"),
    ("decisao", "foi decidida ou expirou"),
    ("resultado", "resultado desconhecido ou divergente"),
    ("rascunho", "uma política espera outro admin"),
    ("permissao", "uma permissão espera outro admin"),
    ("relatorio", "um relatório salvo tem resposta"),
    ("teste", "teste do destino"),
]


class Migration(migrations.Migration):
    dependencies = [("notices", "0002_second_admin")]

    operations = [
        migrations.AlterField(model, "kind", models.CharField(choices=KINDS, max_length=12))
        for model in ("notice", "telling")
    ]
