"""What an agent may read: its own proposals, and nothing that says whether others exist."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from uuid import UUID

from django.conf import settings
from django.db import connection

from approvals.agents import uses
from approvals.agents.uses import Use
from approvals.models import AgenteAprovacao, Execution, State
from opspilot.api.contract import (
    ConsumptionOut,
    EffectOut,
    ExecutionOut,
    ProposalLine,
    ProposalOut,
    ProposalPage,
)
from opspilot.api.errors import UnknownAddressError
from opspilot.api.waiting import Places
from opspilot.tenancy.principal import AgentPrincipal
from opspilot.tenancy.scope import tenant_scope

EVERY = 1.0  # seconds between two looks of a waiting request
ASKED_AGAIN = 5.0  # seconds after which who waits is asked once more who they are
WAITING = 3  # requests of one process that may wait at once: the others get threads, too

_places = Places(WAITING)


def own(*, principal: AgentPrincipal, ref: UUID) -> AgenteAprovacao:
    """Raises the same UnknownAddressError for another agent's, another company's and none."""
    found = AgenteAprovacao.objects.filter(ref=ref, solicitante=principal.subject).first()
    if found is None:
        raise UnknownAddressError
    return found


def awaited(
    *,
    principal: AgentPrincipal,
    ref: UUID,
    seen: str,
    seconds: int,
    ask_again: Callable[[], None],
) -> ProposalOut:
    """The proposal, as soon as its `situacao` is no longer `seen`, or after that many seconds.

    Opens its own scopes. Between two looks it holds no transaction and no connection. With too many
    waiting already it answers at once: the agent asks again, as it would after any wait. Every
    ASKED_AGAIN seconds `ask_again` raises what the door says of a token that was revoked meanwhile.
    """
    if not (seconds > 0 and _places.take(principal.tenant_id)):
        return _now(principal, ref)
    try:
        return _when_changed(principal, ref, seen, time.monotonic() + seconds, ask_again)
    finally:
        _places.leave(principal.tenant_id)


def _when_changed(
    principal: AgentPrincipal,
    ref: UUID,
    seen: str,
    deadline: float,
    ask_again: Callable[[], None],
) -> ProposalOut:
    known = time.monotonic()
    while True:
        if time.monotonic() - known >= ASKED_AGAIN:
            ask_again()
            known = time.monotonic()
        found, left = _now(principal, ref), deadline - time.monotonic()
        if found.situacao != seen or left <= 0 or _places.is_wanted_back(principal.tenant_id):
            return found
        connection.close()
        time.sleep(min(EVERY, left))


def _now(principal: AgentPrincipal, ref: UUID) -> ProposalOut:
    with tenant_scope(principal.tenant_id):
        return shown(own(principal=principal, ref=ref))


def page(
    *, principal: AgentPrincipal, state: str | None, after: UUID | None, limit: int
) -> ProposalPage:
    """The newest first; `after` is the ref of the last line of the page before."""
    rows = AgenteAprovacao.objects.filter(solicitante=principal.subject)
    if state is not None:
        rows = rows.filter(estado=state)
    if after is not None:
        rows = rows.filter(pk__lt=own(principal=principal, ref=after).pk)
    found = list(rows.order_by("-pk")[: limit + 1])
    shown_rows = found[:limit]
    more = len(found) > limit
    return ProposalPage(itens=_lines(shown_rows), proximo=str(shown_rows[-1].ref) if more else None)


def shown(proposal: AgenteAprovacao) -> ProposalOut:
    execution = Execution.objects.filter(approval=proposal).first()
    use = uses.of(proposal)
    return ProposalOut(
        **_line(proposal, execution, use).model_dump(),
        proposta=proposal.proposta,
        aprovacoes_exigidas=proposal.aprovacoes_exigidas,
        papel_exigido=proposal.papel_exigido,
        modelo=proposal.modelo,
        instrucao_hash=proposal.instrucao_hash,
        execucao=_execution(execution),
        consumo=_consumption(use),
    )


def address(ref: UUID) -> str:
    """Where a person finds it in the console."""
    return f"{settings.OPSPILOT_BASE_URL.rstrip('/')}/aprovacoes/{ref}/"


def _lines(rows: Sequence[AgenteAprovacao]) -> list[ProposalLine]:
    executions = {e.approval_id: e for e in Execution.objects.filter(approval__in=rows)}
    used = uses.of_many([row.pk for row in rows])
    return [_line(row, executions.get(row.pk), used.get(row.pk)) for row in rows]


def _line(proposal: AgenteAprovacao, execution: Execution | None, use: Use | None) -> ProposalLine:
    return ProposalLine(
        ref=proposal.ref,
        endereco=address(proposal.ref),
        acao=proposal.acao,
        correlacao_id=proposal.correlacao_id,
        situacao=_situation(proposal, execution, use),
        estado=proposal.estado,
        risco=proposal.risco,
        criada_em=proposal.criada_em,
        expira_em=proposal.expira_em,
        executar_ate=proposal.executar_ate,
        decidida_em=proposal.decidida_em,
        motivo=_reason(proposal),
        acao_hash=proposal.acao_hash,
        politica_versao=proposal.politica_versao,
    )


def _reason(proposal: AgenteAprovacao) -> str | None:
    """What whoever closed it wrote to the requester. Of an approval it names the people who gave a
    standing permission, and no agent is told a person's name."""
    return None if proposal.estado == State.APROVADA else proposal.motivo


def _situation(proposal: AgenteAprovacao, execution: Execution | None, use: Use | None) -> str:
    if execution is not None:
        return execution.state
    return use.consumption.kind if use is not None else proposal.estado


def _execution(execution: Execution | None) -> ExecutionOut | None:
    if execution is None:
        return None
    return ExecutionOut(
        estado=execution.state,
        motivo=execution.reason,
        endereco=execution.remote.get("url"),
        atualizada_em=execution.updated_at,
    )


def _consumption(use: Use | None) -> ConsumptionOut | None:
    if use is None:
        return None
    report = use.report
    effect = None
    if report is not None:
        effect = EffectOut(
            resultado=report.outcome,
            referencia=report.reference,
            detalhe=report.detail,
            informado_em=report.informado_em,
            recebido_em=report.at,
        )
    return ConsumptionOut(tipo=use.consumption.kind, em=use.consumption.at, efeito=effect)
