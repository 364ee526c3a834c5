"""What is in a package, by name. The writer and the offline reader agree here; what the reader asks
the manifest for is in `manifest_form`, and how a row becomes text in `row_text`."""

from __future__ import annotations

FORMAT = "opspilot.rastro"
VERSION = 1

MANIFEST = "manifesto.json"
SIGNATURE = "assinatura.json"
ROWS_JSON = "linhas.json"
ROWS_CSV = "linhas.csv"
ROWS_EXCEL = "linhas-excel.csv"
SUMMARY = "resumo.pdf"
SIGNED_FILES = (ROWS_JSON, ROWS_CSV, ROWS_EXCEL, SUMMARY)
"""The files whose SHA-256 the manifest has."""

# One row a line between these two, so that a file of any size is read line by line.
ROWS_HEAD = '{"formato": "opspilot.rastro.linhas", "versao": 1, "fuso": "UTC", "linhas": ['
ROWS_FOOT = "]}"

COLUMNS = (
    "id", "ocorrido_em", "correlacao_id", "agente", "agente_versao", "modelo", "modelo_pedido",
    "instrucao_hash", "acao", "entidade_tipo", "entidade_id", "resultado", "autorizacao",
    "aprovado_por", "aprovacao_id", "politica_versao", "fontes", "entrada_resumo", "saida_resumo",
    "tokens_entrada", "tokens_saida", "uso_conhecido", "custo_centavos", "custo_exato",
    "duracao_ms", "reversivel", "reversao_ref", "erro", "request_id", "trace_id", "informado_em",
    "tenant_id", "linha_hash", "mascarado",
)  # fmt: skip
"""Of both CSV files, in order."""
