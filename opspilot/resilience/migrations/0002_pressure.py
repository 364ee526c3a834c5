"""What the worker measures and the doors read: one row for all companies."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models.functions import Now

GLOBAL_TABLES = "pressure"


class Migration(migrations.Migration):
    dependencies = [("resilience", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Pressure",
            fields=[
                ("id", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("level", models.PositiveSmallIntegerField(db_default=0)),
                ("looks", models.SmallIntegerField(db_default=0)),
                ("slots_held", models.FloatField(db_default=0)),
                ("waiting", models.PositiveIntegerField(db_default=0)),
                ("oldest_seconds", models.FloatField(db_default=0)),
                ("measured_at", models.DateTimeField(db_default=Now())),
                ("since", models.DateTimeField(db_default=Now())),
            ],
            options={
                "db_table": "pressure",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="pressure_is_one_row"
                    )
                ],
            },
        ),
        migrations.RunSQL("INSERT INTO pressure (id) VALUES (1)", migrations.RunSQL.noop),
        migrations.RunSQL(
            "GRANT SELECT, UPDATE ON pressure TO opspilot_app", migrations.RunSQL.noop
        ),
    ]
