"""Letters, the counters of the door, and the runtime role's rights on the libraries' tables.

All of these are global tables: they hold nothing of a tenant.
"""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now

WRITTEN = (
    "axes_accessattempt, axes_accessattemptexpiration, axes_accesslog, axes_accessfailurelog, "
    "mfa_authenticator, usersessions_usersession, socialaccount_socialaccount, outgoing_mail, "
    "door_counter"
)
# The provider and its secret come from the settings, and tokens are not kept.
UNUSED = "socialaccount_socialapp, socialaccount_socialtoken"
GLOBAL_TABLES = f"{WRITTEN}, {UNUSED}"

# As `createcachetable` makes it; the runtime role could not.
COUNTERS = """
CREATE TABLE door_counter (
  cache_key varchar(255) NOT NULL PRIMARY KEY,
  value text NOT NULL,
  expires timestamptz NOT NULL
);
CREATE INDEX door_counter_expires ON door_counter (expires)
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = [
        ("tenancy", "0002_law"),
        ("axes", "0010_accessattemptexpiration"),
        ("mfa", "0003_authenticator_type_uniq"),
        ("usersessions", "0001_initial"),
        ("socialaccount", "0006_alter_socialaccount_extra_data"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="OutgoingMail",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("redefinir_senha", "Reset"),
                            ("senha_redefinida", "Password Reset"),
                            ("senha_trocada", "Password Changed"),
                            ("aplicativo_ligado", "App Added"),
                            ("aplicativo_removido", "App Removed"),
                            ("codigos_gerados", "Codes Made"),
                            ("chave_adicionada", "Key Added"),
                            ("chave_removida", "Key Removed"),
                        ],
                        max_length=30,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pendente", "Pending"),
                            ("enviada", "Sent"),
                            ("falhou", "Failed"),
                            ("descartada", "Dropped"),
                        ],
                        default="pendente",
                        max_length=12,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("next_at", models.DateTimeField(db_default=Now())),
                ("settled_at", models.DateTimeField(null=True)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "db_table": "outgoing_mail",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "pendente")),
                        fields=["next_at"],
                        name="outgoing_mail_due",
                    )
                ],
            },
        ),
        migrations.RunSQL(COUNTERS, "DROP TABLE door_counter"),
        migrations.RunSQL(
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON {WRITTEN} TO opspilot_app;\n"
            f"GRANT SELECT ON {UNUSED} TO opspilot_app",
            migrations.RunSQL.noop,
        ),
    ]
