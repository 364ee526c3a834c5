"""An agent's own version, and why it is paused."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("api", "0005_reported")]

    operations = [
        migrations.AddField(
            "agent",
            "pause_reason",
            models.CharField(blank=True, db_default="", default="", max_length=300),
        ),
        migrations.AddField(
            "agent",
            "version",
            models.CharField(blank=True, db_default="", default="", max_length=60),
        ),
        migrations.RunSQL(
            "GRANT UPDATE (pause_reason, version) ON agent TO opspilot_app",
            "REVOKE UPDATE (pause_reason, version) ON agent FROM opspilot_app",
        ),
    ]
