"""What a call cost is told by one row of the trail, whoever closes the run."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("budgets", "0001_budgets")]

    operations = [
        migrations.AddField("reservation", "known", models.BooleanField(null=True)),
        migrations.AddField("reservation", "tokens_in", models.IntegerField(db_default=0)),
        migrations.AddField("reservation", "tokens_out", models.IntegerField(db_default=0)),
        migrations.AddField("reservation", "settled_at", models.DateTimeField(null=True)),
        migrations.AddField("reservation", "told_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "reservation",
            models.Index(
                fields=["tenant", "run_ref"],
                name="budget_reservation_untold",
                condition=models.Q(settled_at__isnull=False, told_at__isnull=True),
            ),
        ),
        migrations.AddIndex(
            "reservation",
            models.Index(fields=["tenant", "settled_at"], name="budget_reservation_settled"),
        ),
    ]
