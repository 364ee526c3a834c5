"""How a person wants the console, on their row: every row gets what held for everybody before."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tenancy", "0002_law")]

    operations = [
        migrations.AddField(
            "user", "language", models.CharField(blank=True, default="", max_length=10)
        ),
        migrations.AddField(
            "user", "time_zone", models.CharField(blank=True, default="", max_length=64)
        ),
        migrations.AddField(
            "user",
            "theme",
            models.CharField(
                choices=[("system", "Do sistema"), ("light", "Claro"), ("dark", "Escuro")],
                default="system",
                max_length=10,
            ),
        ),
        migrations.AddField(
            "user",
            "contrast",
            models.CharField(
                choices=[("normal", "Normal"), ("more", "Maior")], default="normal", max_length=10
            ),
        ),
        migrations.AddField(
            "user",
            "density",
            models.CharField(
                choices=[("comfortable", "Confortável"), ("compact", "Compacta")],
                default="comfortable",
                max_length=12,
            ),
        ),
        migrations.AddField("user", "shortcuts", models.BooleanField(default=True)),
        migrations.AddField("user", "next_item", models.BooleanField(default=True)),
    ]
