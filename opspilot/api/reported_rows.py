"""One reported action as a row of the trail, on the word it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import UUID

from approvals import rules
from approvals.agents import consumption
from approvals.models import AgenteAprovacao, EffectOutcome
from audit import entities, trail
from audit.models import Entity
from audit.vocabulary import ACTIONS, Authorization, Result
from opspilot.api import reading
from opspilot.api.action_contract import ActionIn, EntityIn
from opspilot.api.entry import Visitor
from opspilot.api.errors import (
    ApprovalNeededError,
    InvalidFieldsError,
    NotReportableError,
    OtherApprovalError,
    RuleAllowsNotError,
    RunOfAnotherError,
)
from opspilot.api.whose_runs import others_among
from opspilot.tenancy.principal import AgentPrincipal

# What has no effect outside and needs nobody's word: an agent that asked, or gave up to a person.
FREE = frozenset({"conhecimento.consultado", "repasse.humano"})
REPORTABLE = FREE | {name for name, action in ACTIONS.items() if action.external}
_UNTOLD = "não informada"


@dataclass(slots=True)
class Seen:
    """What the rows of one call have in common, asked for once."""

    others: set[UUID]  # runs that are somebody else's
    entities: dict[tuple[str, UUID], Entity] = field(default_factory=dict)
    policy: rules.Policy | None = None

    @classmethod
    def of(cls, visitor: Visitor, given: Sequence[Any]) -> Seen:
        asked = {run for row in given if (run := _run(row)) is not None}
        return cls(others_among(asked, visitor.principal))


@dataclass(frozen=True, slots=True)
class _Word:
    """On what a row stands."""

    by: str | None = None
    approval: AgenteAprovacao | None = None
    policy: int | None = None


def entry(visitor: Visitor, data: ActionIn, seen: Seen) -> trail.Entry:
    """The row to write. Consumes the approval it stands on: run it in a savepoint.

    Raises the refusal that says why this is no row.
    """
    if data.acao not in REPORTABLE:
        raise NotReportableError
    if data.correlacao_id in seen.others:
        raise RunOfAnotherError
    subject = _entity(visitor.principal, data, seen)
    word = _word(visitor.principal, data, subject, seen)
    return trail.Entry(
        correlacao_id=data.correlacao_id,
        acao=data.acao,
        resultado=Result(data.resultado),
        autorizacao=Authorization(data.autorizacao),
        agente=visitor.principal.slug,
        agente_versao=data.agente_versao or visitor.version or _UNTOLD,
        modelo=data.modelo or visitor.model or trail.NO_MODEL,
        instrucao_hash=data.instrucao_hash or visitor.instruction_hash or _UNTOLD,
        aprovado_por=word.by,
        reversivel=_is_reversible(data),
        **_about(subject, word),
        **_told(data),
    )


def _about(subject: Entity | None, word: _Word) -> dict[str, Any]:
    """Whom it is about, and under which approval and policy. The proposal's entity is the row's."""
    approved = word.approval
    if approved is not None:
        return {
            "entidade_tipo": approved.entidade_tipo,
            "entidade_id": approved.entidade_id,
            "aprovacao_id": approved.pk,
            "politica_versao": approved.politica_versao,
        }
    return {
        "entidade_tipo": subject.type if subject else None,
        "entidade_id": str(subject.ref) if subject else None,
        "politica_versao": word.policy,
    }


def _is_reversible(data: ActionIn) -> bool:
    """As the agent says, else as the vocabulary does. What was not done cannot be undone."""
    said = ACTIONS[data.acao].reversible if data.reversivel is None else data.reversivel
    return said and Result(data.resultado) == Result.OK


def _told(data: ActionIn) -> dict[str, Any]:
    """The agent's own words and figures. What it did not say of the cost is unknown, not zero."""
    return {
        "fontes": data.fontes,
        "entrada_resumo": data.entrada_resumo,
        "saida_resumo": data.saida_resumo,
        "erro": data.erro,
        "tokens_entrada": data.tokens_entrada,
        "tokens_saida": data.tokens_saida,
        "custo_exato": None if data.custo_exato is None else Decimal(data.custo_exato),
        "duracao_ms": data.duracao_ms,
        "reversao_ref": data.reversao_ref,
        "informado_em": data.informado_em,
    }


def _run(row: Any) -> UUID | None:
    try:
        return UUID(str(row["correlacao_id"]))
    except (KeyError, TypeError, ValueError):
        return None


def _entity(agent: AgentPrincipal, data: ActionIn, seen: Seen) -> Entity | None:
    """By internal id, or by a document number that goes no further than this. Another company's is
    one that does not exist."""
    given = data.entidade
    if given is None:
        return None
    if given.id is None:  # what it registers may be undone with its row, so nothing is kept of it
        return _found(agent, given, data.correlacao_id)
    key = (given.tipo, given.id)
    if key not in seen.entities:
        seen.entities[key] = _found(agent, given, data.correlacao_id)
    return seen.entities[key]


def _found(agent: AgentPrincipal, given: EntityIn, run: UUID) -> Entity:
    if (given.id is None) == (given.documento is None):
        raise InvalidFieldsError([{"campo": "entidade", "motivo": "id_ou_documento"}])
    if given.id is not None:
        return entities.get(type_=given.tipo, ref=given.id)
    if given.tipo != entities.CUSTOMER:
        raise InvalidFieldsError([{"campo": "entidade.tipo", "motivo": "sem_documento"}])
    document = entities.parse_document(given.documento or "")
    return entities.resolve(principal=agent, document=document, correlation_id=run)


def _word(agent: AgentPrincipal, data: ActionIn, subject: Entity | None, seen: Seen) -> _Word:
    ref, seen_hash = data.aprovacao, data.acao_hash
    if Authorization(data.autorizacao) == Authorization.REGRA:
        if ref is not None or seen_hash is not None:
            raise ApprovalNeededError
        return _by_rule(agent, data, seen)
    if ref is None or seen_hash is None:
        raise ApprovalNeededError
    return _by_approval(agent, data, subject, reading.own(principal=agent, ref=ref), seen_hash)


def _by_rule(agent: AgentPrincipal, data: ActionIn, seen: Seen) -> _Word:
    """What the agent refused to do needs nobody's word; what it did by rule, the policy's."""
    if data.acao in FREE or Result(data.resultado) == Result.RECUSADO:
        return _Word()
    policy = seen.policy = seen.policy or rules.in_force()
    rule = policy.document.acoes_externas.get(data.acao)
    if rule is None or rule.autorizacao != "regra" or agent.slug not in rule.agents:
        raise RuleAllowsNotError
    return _Word(policy=policy.number)


def _by_approval(
    agent: AgentPrincipal,
    data: ActionIn,
    subject: Entity | None,
    proposal: AgenteAprovacao,
    seen_hash: str,
) -> _Word:
    about = None if subject is None else (subject.type, str(subject.ref))
    same = proposal.acao == data.acao and proposal.correlacao_id == data.correlacao_id
    if not same or about not in {None, (proposal.entidade_tipo, proposal.entidade_id)}:
        raise OtherApprovalError(**proposal.facts)
    given = consumption.consume_done(
        agent=agent,
        proposal=proposal,
        seen_hash=seen_hash,
        outcome=EffectOutcome(data.resultado),
        reference=data.reversao_ref or "",
        detail=(data.saida_resumo if Result(data.resultado) == Result.OK else data.erro) or "",
        at=data.informado_em,
    )
    if given.authorization != data.autorizacao:
        raise OtherApprovalError(**proposal.facts)
    return _Word(by=given.by, approval=proposal)
