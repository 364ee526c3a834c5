"""Freezes a confirmed draft as a proposal: `agente_aprovacao` and its first trail row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, connection, transaction

from approvals import authority, drafts, entries, features
from approvals.actions import AgentFacts
from approvals.agents import external, uses
from approvals.authority import Authority
from approvals.deciders import eligibility, owners
from approvals.drafts import Draft
from approvals.errors import (
    AlreadyProposedError,
    AskedAlreadyError,
    ContentChangedError,
    NothingToAskAgainError,
)
from approvals.inbox import open_issues
from approvals.models import AgenteAprovacao, Execution, ExecutionState, State
from approvals.policy import stored
from approvals.stops import schedule
from approvals.tasks import task_drafts
from approvals.tasks.task_command import TASK_RUN
from audit.guard import refusing
from audit.models import Entity
from audit.vocabulary import ACTIONS, Authorization, Result
from opspilot.tenancy import clock
from opspilot.tenancy.principal import AgentPrincipal, Principal


def create(
    *,
    principal: Principal | AgentPrincipal,
    draft: Draft,
    seen_hash: str,
    justification: str,
    entity: Entity | None,
    evidence: Sequence[dict[str, Any]],
    anterior: AgenteAprovacao | None = None,
    agent: AgentFacts | None = None,
) -> AgenteAprovacao:
    """Store what the requester confirmed. The first of the two human acts (I1).

    `seen_hash` is the hash the confirmation page displayed: another one means that the page showed
    something else. `anterior` is the closed proposal this one asks again, changed or not.
    Raises ContentChangedError, AlreadyProposedError, or ForbiddenContentError for a secret or a
    document number in what is asked or why.
    """
    if seen_hash != draft.hash:
        raise ContentChangedError(correlation_id=draft.run_id)
    words = drafts.words_of(draft.action) | {"justificativa": justification}
    refusing.refuse(words, correlation_id=draft.run_id)
    if AgenteAprovacao.objects.filter(correlacao_id=draft.run_id).exists():
        raise AlreadyProposedError(correlation_id=draft.run_id)
    if anterior is not None:
        _claim(anterior)
    may = _authority(principal, draft)
    try:
        with transaction.atomic():
            proposal = _insert(
                principal, draft, may, justification, entity, evidence, anterior, agent
            )
    except IntegrityError as exc:
        if _constraint(exc) == "agente_aprovacao_uma_seguinte":
            raise NothingToAskAgainError(correlation_id=draft.run_id) from exc
        if _constraint(exc) == "agente_aprovacao_sobre_uma":
            raise AskedAlreadyError(correlation_id=draft.run_id) from exc
        if _constraint(exc) != "agente_aprovacao_rodada":
            raise
        # A second click overtook the check above.
        raise AlreadyProposedError(correlation_id=draft.run_id) from exc
    _record(principal, proposal, evidence)
    open_issues.want(proposal)
    eligibility.route(proposal=proposal)
    return proposal


def _authority(principal: Principal | AgentPrincipal, draft: Draft) -> Authority:
    """What is stored is the policy's word on the finished action, never the draft's on itself.

    Raises ContentChangedError where the policy asks for something else than the page showed.
    """
    may = authority.granted(principal=principal, action=draft.action, coverage=draft.coverage)
    said, shown = may.granted, draft.outcome
    asked = (draft.policy.number, shown.risk, shown.quorum, shown.approver_role, draft.hash)
    if (said.policy, said.risk, said.quorum, said.approver_role, said.action_hash) != asked:
        raise ContentChangedError(correlation_id=draft.run_id)
    return may


_LOCK = 0x0A5C  # of this module among the advisory locks
_NOT_DONE = frozenset({
    ExecutionState.RETIRADA, ExecutionState.BLOQUEADA, ExecutionState.RECUSADA,
})  # fmt: skip


def hold(proposal: AgenteAprovacao) -> None:
    """Until the transaction ends, nobody else asks this proposal again or lets it be tried again.
    The app may not lock the row itself: it has no right to change it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, proposal.pk % 2**31])


def _claim(anterior: AgenteAprovacao) -> None:
    """Asked again right before the new one exists: the old one must not be carried out after all."""
    hold(anterior)
    if not can_be_asked_again(anterior):
        raise NothingToAskAgainError(**anterior.facts)


def can_be_asked_again(proposal: AgenteAprovacao) -> bool:
    """Closed without an approval, or approved and certainly not carried out. One about another's
    effect is asked for on that one's page, as it is by then."""
    if proposal.sobre_id is not None:
        return False
    if proposal.estado != State.APROVADA:
        return proposal.estado != State.PENDENTE
    if stored.is_external(proposal.proposta):
        return uses.never_happened(proposal, now=clock.now())
    return Execution.objects.filter(approval=proposal, state__in=_NOT_DONE).exists()


def _insert(
    principal: Principal | AgentPrincipal,
    draft: Draft,
    may: Authority,
    justification: str,
    entity: Entity | None,
    evidence: Sequence[dict[str, Any]],
    anterior: AgenteAprovacao | None,
    agent: AgentFacts | None,
) -> AgenteAprovacao:
    said, document = may.granted, draft.policy.document
    kind, rule = said.kind, document.rule_of(said.kind)
    if rule is None:
        raise ValueError("drafted under a policy that has no such kind")
    now = clock.now()
    expires = now + dt.timedelta(minutes=rule.expires_minutes)
    needed = features.required_by(
        kind=kind,
        document=document.model_dump(mode="json", exclude_unset=True),
        from_agent=agent is not None,
        scheduled=schedule.FIELD in draft.action,
    )
    proposal = AgenteAprovacao(
        tenant_id=said.tenant_id,
        correlacao_id=draft.run_id,
        acao=kind,
        entidade_tipo=entity.type if entity else None,
        entidade_id=str(entity.ref) if entity else None,
        proposta=draft.action,
        risco=said.risk,
        expira_em=expires,
        solicitante=said.subject,
        solicitante_nome=principal.name,
        justificativa=justification,
        acao_hash=said.action_hash,
        politica_versao=said.policy,
        aprovacoes_exigidas=said.quorum,
        papel_exigido=said.approver_role,
        executar_ate=expires + dt.timedelta(minutes=rule.execute_within_minutes),
        executar_de=schedule.of(draft.action),
        versao_esquema=features.version_of(needed),
        recursos=list(needed),
        cobertura=draft.coverage,
        evidencia=list(evidence),
        anterior=anterior,
        sobre=draft.about,
        **_facts_of(agent, draft),
    )
    proposal.save(force_insert=True)
    proposal.refresh_from_db()
    return proposal


def _facts_of(agent: AgentFacts | None, draft: Draft) -> dict[str, Any]:
    behind = owners.behind_first(kind=draft.action["kind"], about=draft.about)
    if agent is None:
        return {"agente_barrados": sorted(behind)}
    return {
        "agente": agent.slug,
        "agente_dono": agent.owner,
        "agente_barrados": sorted(agent.barred | behind),
        "modelo": agent.model,
        "instrucao_hash": agent.instruction_hash,
    }


def _constraint(exc: IntegrityError) -> str:
    diagnosis = getattr(exc.__cause__, "diag", None)
    return str(getattr(diagnosis, "constraint_name", ""))


def _record(
    principal: Principal | AgentPrincipal,
    proposal: AgenteAprovacao,
    evidence: Sequence[dict[str, Any]],
) -> None:
    entries.record(
        proposal,
        action=proposal.acao,
        result=Result.PENDENTE,
        authorization=Authorization.PENDENTE,
        fontes=evidence,
        entrada_resumo=principal.signature,
        saida_resumo=_summary(proposal.proposta),
        reversivel=ACTIONS[proposal.acao].reversible,
        **entries.of_agent(proposal),
    )


def _summary(action: dict[str, Any]) -> str:
    if stored.is_external(action):
        return external.summary(action)
    return task_drafts.summary(action) if action["kind"] == TASK_RUN else str(action["title"])
