"""Who changed whom an agent belongs to, and who issued the token a token took the place of."""

from __future__ import annotations

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import tenant_table

IMMUTABLE = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON agent_owner_change
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON agent_owner_change
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("api", "0002_law"), ("audit", "0002_trail")]

    operations = [
        migrations.AddField(
            "agenttoken",
            "issued_before",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(), db_default=[], default=list, size=None
            ),
        ),
        migrations.CreateModel(
            name="AgentOwnerChange",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("before", models.CharField(max_length=80)),
                ("after", models.CharField(max_length=80)),
                ("by", models.CharField(max_length=80)),
                ("at", models.DateTimeField(db_default=Now())),
                (
                    "agent",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="api.agent",
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
                "db_table": "agent_owner_change",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["tenant", "id"], name="agent_owner_change_tenant_id"
                    ),
                ],
                "indexes": [
                    models.Index(fields=["tenant", "agent", "at"], name="agent_owner_change_of"),
                ],
            },
        ),
        tenant_table("agent_owner_change", references=[("agent_id", "agent")]),
        migrations.RunSQL(IMMUTABLE, migrations.RunSQL.noop),
    ]
