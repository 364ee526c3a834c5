"""Limits of what models may cost, the accounts under them, and the reservations of calls."""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import append_only, tenant_table

_SCOPES = [
    ("company", "a empresa, por mês"),
    ("agent", "um agente, por mês"),
    ("run", "uma rodada"),
]


def _tenant() -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="tenancy.tenant",
    )


class Migration(migrations.Migration):
    initial = True
    dependencies = [("tenancy", "0002_law"), ("audit", "0002_trail")]

    operations = [
        migrations.CreateModel(
            name="Limit",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("scope", models.CharField(choices=_SCOPES, max_length=8)),
                ("subject", models.CharField(blank=True, default="", max_length=80)),
                ("centavos", models.DecimalField(decimal_places=6, max_digits=18, null=True)),
                ("reason", models.TextField()),
                ("author", models.CharField(max_length=80)),
                ("author_name", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("tenant", _tenant()),
            ],
            options={
                "db_table": "budget_limit",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="budget_limit_tenant_id")
                ],
                "indexes": [
                    models.Index(
                        fields=["tenant", "scope", "subject", "-id"], name="budget_limit_newest"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("scope", models.CharField(choices=_SCOPES, max_length=8)),
                ("subject", models.CharField(blank=True, default="", max_length=80)),
                ("period", models.CharField(max_length=36)),
                ("reserved", models.DecimalField(db_default=0, decimal_places=6, max_digits=18)),
                ("spent", models.DecimalField(db_default=0, decimal_places=6, max_digits=18)),
                ("tenant", _tenant()),
            ],
            options={
                "db_table": "budget_account",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "scope", "subject", "period"), name="budget_account_key"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reserved__gte", 0), ("spent__gte", 0)),
                        name="budget_account_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Reservation",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("run_ref", models.UUIDField()),
                ("agent", models.CharField(max_length=80)),
                ("month", models.CharField(max_length=7)),
                ("amount", models.DecimalField(decimal_places=6, max_digits=18)),
                ("spent", models.DecimalField(decimal_places=6, max_digits=18, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("held", "Held"),
                            ("settled", "Settled"),
                            ("returned", "Returned"),
                        ],
                        db_default="held",
                        max_length=8,
                    ),
                ),
                ("until", models.DateTimeField()),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("tenant", _tenant()),
            ],
            options={
                "db_table": "budget_reservation",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "ref"), name="budget_reservation_ref"
                    )
                ],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "held")),
                        fields=["tenant", "until"],
                        name="budget_reservation_held",
                    )
                ],
            },
        ),
        tenant_table("budget_limit"),
        migrations.RunSQL(append_only("budget_limit"), migrations.RunSQL.noop),
        tenant_table("budget_account", app="SELECT, INSERT, UPDATE"),
        tenant_table("budget_reservation", app="SELECT, INSERT, UPDATE"),
    ]
