"""What an execution keeps when a person says what became of it, or lets it be sent once more."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("approvals", "0018_stops")]

    operations = [
        migrations.AddField(
            "execution", "extra_sends", models.IntegerField(db_default=0, default=0)
        ),
        migrations.AddField("execution", "resend_until", models.DateTimeField(null=True)),
        migrations.AddField("execution", "proof", models.JSONField(db_default={}, default=dict)),
        migrations.AddIndex(
            "execution",
            models.Index(
                condition=models.Q(("next_lookup_at__isnull", False)),
                fields=["next_lookup_at"],
                name="execution_looked_at",
            ),
        ),
    ]
