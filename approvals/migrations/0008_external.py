"""What agents consume and what admins permit beforehand: the tables."""

from __future__ import annotations

import datetime
import uuid

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("approvals", "0007_escalation"),
        ("tenancy", "0003_preferences"),
    ]

    operations = [
        migrations.CreateModel(
            name="Consumption",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("consumida", "consumida pelo agente"),
                            ("retirada", "retirada por quem aprovou"),
                        ],
                        max_length=10,
                    ),
                ),
                ("subject", models.CharField(max_length=80)),
                ("subject_name", models.CharField(max_length=80)),
                ("seen_hash", models.CharField(max_length=64)),
                ("policy_number", models.IntegerField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "approval",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.agenteaprovacao",
                    ),
                ),
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
                "db_table": "approval_consumption",
            },
        ),
        migrations.CreateModel(
            name="EffectReport",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("ok", "feita"),
                            ("recusado", "recusada pelo destino"),
                            ("erro", "não concluída"),
                            ("desconhecido", "resultado desconhecido"),
                        ],
                        max_length=12,
                    ),
                ),
                ("reference", models.CharField(blank=True, default="", max_length=200)),
                ("detail", models.CharField(blank=True, default="", max_length=500)),
                ("informado_em", models.DateTimeField(null=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "consumption",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.consumption",
                    ),
                ),
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
                "db_table": "approval_effect",
            },
        ),
        migrations.CreateModel(
            name="StandingPermission",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ref", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("agent", models.CharField(max_length=60)),
                ("agent_owner", models.CharField(blank=True, default="", max_length=80)),
                ("kind", models.CharField(max_length=80)),
                ("ceiling_centavos", models.BigIntegerField(null=True)),
                ("max_uses", models.IntegerField()),
                (
                    "period",
                    models.CharField(
                        choices=[("dia", "24 horas"), ("semana", "7 dias"), ("mes", "30 dias")],
                        max_length=8,
                    ),
                ),
                ("period_uses", models.IntegerField()),
                ("ends_at", models.DateTimeField()),
                ("reason", models.TextField()),
                ("proposed_by", models.CharField(max_length=80)),
                ("proposed_name", models.CharField(max_length=80)),
                (
                    "proposed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("confirmed_by", models.CharField(blank=True, default="", max_length=80)),
                ("confirmed_name", models.CharField(blank=True, default="", max_length=80)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("revoked_by", models.CharField(blank=True, default="", max_length=80)),
                ("revoked_name", models.CharField(blank=True, default="", max_length=80)),
                ("revoked_reason", models.TextField(blank=True, default="")),
                ("revoked_at", models.DateTimeField(null=True)),
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
                "db_table": "standing_permission",
            },
        ),
        migrations.CreateModel(
            name="StandingUse",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("amount_centavos", models.BigIntegerField(null=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "approval",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.agenteaprovacao",
                    ),
                ),
                (
                    "permission",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.standingpermission",
                    ),
                ),
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
                "db_table": "standing_use",
            },
        ),
        migrations.AddConstraint(
            model_name="consumption",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="approval_consumption_tenant_id"
            ),
        ),
        migrations.AddConstraint(
            model_name="consumption",
            constraint=models.UniqueConstraint(
                fields=("tenant", "approval"), name="approval_consumption_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="effectreport",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="approval_effect_tenant_id"
            ),
        ),
        migrations.AddConstraint(
            model_name="effectreport",
            constraint=models.UniqueConstraint(
                fields=("tenant", "consumption"), name="approval_effect_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="standingpermission",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="standing_permission_tenant_id"
            ),
        ),
        migrations.AddConstraint(
            model_name="standingpermission",
            constraint=models.UniqueConstraint(
                fields=("tenant", "ref"), name="standing_permission_tenant_ref"
            ),
        ),
        migrations.AddConstraint(
            model_name="standingpermission",
            constraint=models.CheckConstraint(
                condition=models.Q(("confirmed_by", models.F("proposed_by")), _negated=True),
                name="standing_permission_two_people",
            ),
        ),
        migrations.AddConstraint(
            model_name="standingpermission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("agent_owner", models.F("proposed_by")), _negated=True),
                    models.Q(
                        ("confirmed_by", ""),
                        models.Q(("agent_owner", models.F("confirmed_by")), _negated=True),
                        _connector="OR",
                    ),
                ),
                name="standing_permission_not_the_owner",
            ),
        ),
        migrations.AddConstraint(
            model_name="standingpermission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("max_uses__range", (1, 10000)),
                    ("period_uses__gte", 1),
                    ("period_uses__lte", models.F("max_uses")),
                ),
                name="standing_permission_uses",
            ),
        ),
        migrations.AddConstraint(
            model_name="standingpermission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ceiling_centavos__isnull", True),
                    ("ceiling_centavos__gte", 1),
                    _connector="OR",
                ),
                name="standing_permission_ceiling",
            ),
        ),
        migrations.AddConstraint(
            model_name="standingpermission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_at__gt", models.F("proposed_at")),
                    (
                        "ends_at__lte",
                        django.db.models.expressions.CombinedExpression(
                            models.F("proposed_at"), "+", models.Value(datetime.timedelta(days=90))
                        ),
                    ),
                ),
                name="standing_permission_ends",
            ),
        ),
        migrations.AddIndex(
            model_name="standinguse",
            index=models.Index(fields=["tenant", "permission", "at"], name="standing_use_of"),
        ),
        migrations.AddConstraint(
            model_name="standinguse",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="standing_use_tenant_id"
            ),
        ),
        migrations.AddConstraint(
            model_name="standinguse",
            constraint=models.UniqueConstraint(
                fields=("tenant", "approval"), name="standing_use_once"
            ),
        ),
    ]
