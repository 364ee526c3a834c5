"""Who read the trail, found without reading the trail: readings are few and asked for by time.

An index of the parent is an index of every month, those still to come included.
"""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("audit", "0009_months_by_law")]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX agente_acao_leituras ON agente_acao (tenant_id, ocorrido_em DESC, id DESC) "
            "WHERE acao IN ('historico.lido', 'exportacao.gerada', 'exportacao.baixada', "
            "'acessos.exportados')",
            "DROP INDEX agente_acao_leituras",
        ),
    ]
