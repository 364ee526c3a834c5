"""The trail by time: what a company did lately, without reading and sorting its whole month.

An index of the parent is an index of every month, those still to come included. Each month is
indexed in place, which holds up writing to it for as long as that takes: seconds for a million rows.
"""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("audit", "0002_trail")]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX agente_acao_quando ON agente_acao (tenant_id, ocorrido_em DESC, id DESC)",
            "DROP INDEX agente_acao_quando",
        ),
    ]
