"""Whether a person wants letters about what waits for them; everybody does until they say no."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tenancy", "0004_membership_history")]

    operations = [
        migrations.AddField(
            "user", "mail_notices", models.BooleanField(db_default=True, default=True)
        ),
    ]
