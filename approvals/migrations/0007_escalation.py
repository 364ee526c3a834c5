"""To whom else a proposal was given to decide; and what the worker's look needs to find it."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from opspilot.tenancy.schema import DEFINER, tenant_table

IMMUTABLE = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON approval_escalation
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON approval_escalation
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
ALTER TABLE approval_escalation ADD CONSTRAINT approval_escalation_elsewhere
  CHECK (from_role <> to_role);
"""

# When a proposal is due for another role stands in the policy in force.
POLICY_IS_SEEN = f"""
CREATE POLICY definer ON policy_version FOR SELECT TO {DEFINER} USING (true);
GRANT SELECT ON policy_version TO {DEFINER};
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0006_same_target"), ("audit", "0002_trail")]

    operations = [
        migrations.CreateModel(
            name="Escalation",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("from_role", models.CharField(max_length=20)),
                ("to_role", models.CharField(max_length=20)),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("prazo", "parte do prazo passou sem decisão"),
                            ("sem_elegivel", "ninguém com o papel pedido podia decidir"),
                        ],
                        max_length=20,
                    ),
                ),
                ("at", models.DateTimeField(db_default=Now())),
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
                "db_table": "approval_escalation",
                "constraints": [
                    models.UniqueConstraint(
                        fields=["tenant", "id"], name="approval_escalation_tenant_id"
                    ),
                    models.UniqueConstraint(
                        fields=["tenant", "approval", "to_role"],
                        name="approval_escalation_once",
                    ),
                ],
                "indexes": [
                    models.Index(
                        fields=["tenant", "to_role", "approval"], name="approval_escalation_to"
                    )
                ],
            },
        ),
        tenant_table(
            "approval_escalation",
            reader=True,
            definer_reads=True,
            references=[("approval_id", "agente_aprovacao")],
        ),
        migrations.RunSQL(IMMUTABLE, migrations.RunSQL.noop),
        migrations.RunSQL(
            POLICY_IS_SEEN,
            f"DROP POLICY definer ON policy_version;\nREVOKE SELECT ON policy_version FROM {DEFINER}",
        ),
    ]
