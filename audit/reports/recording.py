"""Asking and exporting are rows of the trail: which query, how many rows, which hash; of the
parameters only the internal id of whom it was about, in the row's own columns."""

from __future__ import annotations

import uuid

from audit import trail
from audit.reports.formats import Format, Written
from audit.reports.parameters import Bound
from audit.reports.shapes import NamedQuery
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.principal import Principal


def viewed(principal: Principal, query: NamedQuery, bound: Bound, *, rows: int) -> int:
    facts: dict[str, str | int] = {
        "consulta": query.slug,
        "versao": query.version,
        "linhas": rows,
    }
    return _record("historico.lido", principal.signature, query, bound, facts)


def proved(principal: Principal, query: NamedQuery, bound: Bound, *, result: Written) -> int:
    return _record("historico.lido", principal.signature, query, bound, _facts(query, result))


def exported(by: str, query: NamedQuery, bound: Bound, *, kind: Format, result: Written) -> int:
    """`by`: a person's signature, or what ran it."""
    facts = {**_facts(query, result), "formato": kind.slug}
    return _record("exportacao.gerada", by, query, bound, facts)


def answered(
    by: str, query: NamedQuery, bound: Bound, *, result: Written, report: uuid.UUID
) -> int:
    """A saved report: its rows are of one run of the trail, the report's own."""
    facts = {**_facts(query, result), "relatorio": str(report)}
    return _record("historico.lido", by, query, bound, facts, run=report)


def _facts(query: NamedQuery, result: Written) -> dict[str, str | int]:
    return {
        "consulta": query.slug,
        "versao": query.version,
        "linhas": result.rows,
        "sha256": result.sha256,
    }


def _record(
    action: str,
    by: str,
    query: NamedQuery,
    bound: Bound,
    facts: dict[str, str | int],
    *,
    run: uuid.UUID | None = None,
) -> int:
    said = f"consulta {query.slug} versão {query.version}, {facts['linhas']} linhas"
    kind = f", {facts['formato']}" if "formato" in facts else ""
    proof = f", sha256 {facts['sha256']}" if "sha256" in facts else ""
    return trail.record(
        trail.Entry(
            correlacao_id=run or uuid.uuid4(),
            acao=action,
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entidade_tipo=bound.values.get("entity_type"),
            entidade_id=bound.values.get("entity_id"),
            fontes=[facts],
            entrada_resumo=by,
            saida_resumo=said + kind + proof,
        )
    )
