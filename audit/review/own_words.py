"""The words the trail itself is made of: masked, its rows could not be read or asked any more."""

from __future__ import annotations

import re

from audit.guard.kinds import Kind
from audit.rows import COLUMNS
from audit.vocabulary import ACTIONS, Authorization, Result
from opspilot.tenancy.principal import Role

# The keys of sources, and what our own summaries say in every row of a kind.
_SUMMARIES = frozenset({
    "true", "false", "null", "trecho", "versao", "versão", "sha256", "inicio", "fim", "usuario",
    "usuário", "agente", "console", "termo", "cartão", "e-mail", "consulta", "relatorio",
    "relatório", "linhas", "documento", "titulo", "título", "arquivo", "archive", "root", "formato",
    "revisão", "rodada", "rastro", "achados", "item", "meses", "regra", "permissão", "parada",
    "motivo", "proposta", "cobertura", "citações", "trechos", "caracteres", "issue", "csv",
    "csv-excel", "json", "xlsx", "procurado pelo documento", "procurar de novo", "nada_achado",
    "entidade", "periodo", "período", "nenhum", "não informada", "chave", "empresa",
})  # fmt: skip
# Of the named queries, which are made above this room: a test holds the two lists together.
QUERIES = frozenset({
    "historico-da-entidade", "reconstrucao-da-rodada", "custo-por-agente-e-dia",
    "acoes-irreversiveis", "repasse-humano", "recusas-e-nao-acoes", "politica-na-decisao",
    "quem-leu-o-que", "alcance-do-incidente", "erros-por-acao", "custo-por-resultado-util",
    "tempo-ate-decidir",
})  # fmt: skip
_NAMES = frozenset({
    *COLUMNS, "id", "ocorrido_em", "linha_hash", *ACTIONS, *QUERIES,
    *(one.value for kind in (Role, Result, Authorization, Kind) for one in kind),
})  # fmt: skip
_PART = re.compile(r"[^\W_]+")
WORDS = _NAMES | _SUMMARIES | {part for name in _NAMES for part in _PART.findall(name)}


def is_one(term: str) -> bool:
    return term.casefold() in WORDS
