"""Asking and exporting are rows of the trail: which query, how many rows, which hash; of the
parameters only the internal id of whom it was about, in the row's own columns."""

from __future__ import annotations

import uuid

from audit import entities, trail
from audit.reports.formats import Format, Written
from audit.reports.parameters import Bound
from audit.reports.shapes import NamedQuery
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.principal import AgentPrincipal, Principal

_HASHES = ("sha256", "sha256_do_relatorio")


def viewed(
    principal: Principal | AgentPrincipal, query: NamedQuery, bound: Bound, *, rows: int
) -> int:
    facts: dict[str, str | int] = {
        "consulta": query.slug,
        "versao": query.version,
        "linhas": rows,
    }
    agent = trail.acting(principal)
    return _record("historico.lido", principal.signature, query, bound, facts, agent=agent)


def proved(principal: Principal, query: NamedQuery, bound: Bound, *, result: Written) -> int:
    return _record("historico.lido", principal.signature, query, bound, _facts(query, result))


def exported(by: str, query: NamedQuery, bound: Bound, *, kind: Format, result: Written) -> int:
    """`by`: a person's signature, or what ran it."""
    facts = {**_facts(query, result), "formato": kind.slug}
    return _record("exportacao.gerada", by, query, bound, facts)


def answered(
    by: str, query: NamedQuery, bound: Bound, *, result: Written, report: uuid.UUID
) -> int:
    """A saved report: its rows are of one run of the trail, the report's own. They are not in its
    hash, which therefore has a name of its own."""
    facts = {**_facts(query, result), "relatorio": str(report)}
    facts["sha256_do_relatorio"] = facts.pop("sha256")
    return _record("historico.lido", by, query, bound, facts, run=report)


def _facts(query: NamedQuery, result: Written) -> dict[str, str | int]:
    return {
        "consulta": query.slug,
        "versao": query.version,
        "linhas": result.rows,
        "sha256": result.sha256,
    }


def _about(bound: Bound, *, known: bool) -> tuple[str | None, str | None]:
    """Whom it was about, where this company knows them: an address is anybody's to write."""
    type_, ref = bound.values.get("entity_type"), bound.values.get("entity_id")
    if not ref or not (known or entities.exists(type_=str(type_), ref=ref)):
        return None, None
    return type_, ref


def _record(
    action: str,
    by: str,
    query: NamedQuery,
    bound: Bound,
    facts: dict[str, str | int],
    *,
    run: uuid.UUID | None = None,
    agent: str = trail.CONSOLE,
) -> int:
    type_, ref = _about(bound, known=bool(facts["linhas"]))
    # The same in every language: who reads the trail reads it in theirs.
    kind = f".{facts['formato']}" if "formato" in facts else ""
    said = f"{query.slug}{kind} v{query.version} n={facts['linhas']}"
    proof = "".join(f" {name}={facts[name]}" for name in _HASHES if name in facts)
    return trail.record(
        trail.Entry(
            correlacao_id=run or uuid.uuid4(),
            acao=action,
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            agente=agent,
            entidade_tipo=type_,
            entidade_id=ref,
            fontes=[facts],
            entrada_resumo=by,
            saida_resumo=said + kind + proof,
        )
    )
