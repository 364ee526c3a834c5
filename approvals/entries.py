"""The trail's rows about a proposal: what they all say of it, in one place."""

from __future__ import annotations

from typing import Any

from approvals.models import AgenteAprovacao
from audit import trail
from audit.vocabulary import Authorization, Result


def record(
    proposal: AgenteAprovacao,
    *,
    action: str,
    result: Result,
    authorization: Authorization,
    **values: Any,
) -> None:
    """Write one row; see `of` for what `values` are."""
    trail.record(of(proposal, action=action, result=result, authorization=authorization, **values))


def of(
    proposal: AgenteAprovacao,
    *,
    action: str,
    result: Result,
    authorization: Authorization,
    **values: Any,
) -> trail.Entry:
    """One row; `values` are further fields of `trail.Entry`, or other words for the input than the
    hash of what was proposed."""
    values.setdefault("entrada_resumo", f"sha256 {proposal.acao_hash}")
    return trail.Entry(
        correlacao_id=proposal.correlacao_id,
        acao=action,
        resultado=result,
        autorizacao=authorization,
        entidade_tipo=proposal.entidade_tipo,
        entidade_id=proposal.entidade_id,
        aprovacao_id=proposal.pk,
        politica_versao=proposal.politica_versao,
        **values,
    )


def of_agent(proposal: AgenteAprovacao) -> dict[str, str]:
    """Who acts in a row about what the agent itself did; nothing for a person's proposal."""
    if not proposal.agente:
        return {}
    told = {"modelo": proposal.modelo, "instrucao_hash": proposal.instrucao_hash}
    return {"agente": proposal.agente, **{name: word for name, word in told.items() if word}}
