"""What a model costs, by the day it begins to. The runtime role only adds."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import append_only, tenant_table


class Migration(migrations.Migration):
    dependencies = [("audit", "0011_saved_reports"), ("tenancy", "0005_mail_notices")]

    operations = [
        migrations.CreateModel(
            name="ModelPrice",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("model", models.CharField(max_length=80)),
                ("since", models.DateField()),
                ("centavos_in", models.DecimalField(decimal_places=6, max_digits=12)),
                ("centavos_out", models.DecimalField(decimal_places=6, max_digits=12)),
                ("author", models.CharField(max_length=60)),
                ("author_name", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField(db_default=Now())),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
            ],
            options={
                "db_table": "model_price",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="model_price_tenant_id")
                ],
            },
        ),
        tenant_table("model_price"),
        migrations.RunSQL(append_only("model_price"), migrations.RunSQL.noop),
    ]
