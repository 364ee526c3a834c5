"""The names that exist for every sentence of `sentences/`: those of the demonstration's policy."""

from __future__ import annotations

from dataclasses import replace

from opspilot.harness.planning.port import Template, Vocabulary

_HOSTS = ("srv-pag-02", "srv-pag-03", "srv-med-01", "srv-med-02", "srv-bus-01")

VOCABULARY = Vocabulary(
    projects=("infra", "pagamentos"),
    labels=("incidente", "runbook", "pagamentos", "prioridade::1", "prioridade::2"),
    assignees=("plantao-infra", "plantao-pagamentos"),
    templates=(
        Template(
            alias="servico-acao",
            number=21,
            hosts=_HOSTS,
            variables={"server_name": (), "server_action": ("status", "restart")},
            required=frozenset({"server_name", "server_action"}),
        ),
        Template(
            alias="implantar-servico",
            number=22,
            hosts=("srv-api-04", "srv-api-05"),
            variables={"deploy_service": ("api-medicao", "portal-assinante")},
            required=frozenset({"deploy_service"}),
        ),
        Template(alias="por-em-manutencao", number=25, hosts=_HOSTS, max_hosts=2),
        Template(alias="tirar-da-manutencao", number=26, hosts=_HOSTS, max_hosts=2),
    ),
)

# Whoever wrote `other.jsonl` was not told that two of the templates take one host at a time.
OF_MANY_HOSTS = replace(
    VOCABULARY, templates=tuple(replace(one, max_hosts=5) for one in VOCABULARY.templates)
)
