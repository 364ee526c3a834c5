"""A tenant whose agents ask for actions they carry out themselves, and its people."""

from __future__ import annotations

import copy
import uuid
from dataclasses import dataclass, field
from typing import Any

from approvals import policies
from approvals.actions import AgentFacts, IssueCommand
from approvals.agents import agent_proposals, consumption, external_command, standing
from approvals.agents.external_command import ExternalCommand
from approvals.models import AgenteAprovacao, EffectOutcome, Period, StandingPermission
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import AgentPrincipal, Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

REFUND, SORTED, CHANGED = "estorno.emitido", "atendimento.classificado", "cadastro.alterado"
ASKS: dict[str, Any] = {
    "requester_roles": ["operador"],
    "agents": ["agente-a"],
    "approver_role": "aprovador",
    "quorum": {"baixo": 1, "medio": 1, "alto": 2},
    "expires_minutes": 240,
    "execute_within_minutes": 120,
    "hold_seconds": {"baixo": 0, "medio": 0, "alto": 0},
    "risk": "medio",
}
EXTERNAL: dict[str, Any] = {
    REFUND: ASKS
    | {
        "ceiling_centavos": 100_000,
        "fields": {
            "pedido": {"type": "texto", "label": "Pedido", "max_length": 40},
            "valor": {"type": "centavos", "label": "Valor"},
            "motivo": {"type": "escolha", "label": "Motivo", "choices": ["dobro", "erro"]},
            "dia": {"type": "data", "label": "Dia", "required": False},
            "parcelas": {"type": "inteiro", "label": "Parcelas", "required": False},
        },
    },
    SORTED: ASKS
    | {
        "autorizacao": "regra",
        "risk": "baixo",
        "fields": {"classe": {"type": "escolha", "label": "Classe", "choices": ["a", "b"]}},
    },
    CHANGED: ASKS
    | {"fields": {"valor_novo": {"type": "texto", "label": "Valor novo", "max_length": 200}}},
}
FIELDS: dict[str, Any] = {"pedido": "P-1044", "valor": 12_000, "motivo": "dobro"}


@dataclass(frozen=True, slots=True)
class Scene:
    """The agent `agente-a`, who owns it, two admins and an approver."""

    tenant: Tenant
    owner: Principal
    agent: AgentPrincipal
    approver: Principal
    admins: list[Principal] = field(default_factory=list)


def a_scene(tenant: Tenant | None = None) -> Scene:
    tenant = tenant or factories.a_tenant()
    a_policy(tenant)
    owner = factories.a_principal(tenant, Role.OPERADOR, Role.APROVADOR, Role.ADMIN)
    return Scene(
        tenant,
        owner,
        an_agent(tenant, owner),
        factories.a_principal(tenant, Role.APROVADOR),
        [factories.a_principal(tenant, Role.ADMIN) for _ in range(2)],
    )


def an_agent(tenant: Tenant, owner: Principal, slug: str = "agente-a") -> AgentPrincipal:
    return AgentPrincipal(
        tenant_id=tenant.pk,
        tenant_name=tenant.name,
        slug=slug,
        name=f"Agente {slug[-1].upper()}",
        owner=owner.subject,
        scopes=frozenset(),
        owner_roles=frozenset({Role.OPERADOR}),
    )


def a_policy(tenant: Tenant, **changes: dict[str, Any]) -> None:
    """The next version in force; `changes` by kind, with the point written as two underscores."""
    kinds = copy.deepcopy(EXTERNAL)
    for name, fields in changes.items():
        kinds[name.replace("__", ".")] |= fields
    with tenant_scope(tenant.pk):
        policies.install(document=factories.POLICY | {"acoes_externas": kinds}, by="admin 1")


def ask(
    scene: Scene,
    kind: str = REFUND,
    *,
    run_id: uuid.UUID | None = None,
    by: AgentPrincipal | None = None,
    command: IssueCommand | ExternalCommand | None = None,
    coverage: str | None = None,
    **fields: Any,
) -> tuple[AgenteAprovacao, bool]:
    given = FIELDS | fields if kind == REFUND else fields
    with tenant_scope(scene.tenant.pk):
        return agent_proposals.propose(
            agent=by or scene.agent,
            asked=agent_proposals.Asked(
                run_id=run_id or uuid.uuid4(),
                command=command or external_command.read(kind=kind, fields=given),
                justification="O cliente foi cobrado em dobro.",
                facts=AgentFacts("", "", model="modelo-x", instruction_hash="a" * 64),
                coverage=coverage,
            ),
        )


def a_proposal(scene: Scene, kind: str = REFUND, **fields: Any) -> AgenteAprovacao:
    return ask(scene, kind, **fields)[0]


def approved(scene: Scene, **fields: Any) -> AgenteAprovacao:
    return factories.approve(a_proposal(scene, **fields), scene.approver)


def consume(
    scene: Scene, proposal: AgenteAprovacao, *, by: AgentPrincipal | None = None, seen: str = ""
) -> consumption.Taken:
    with tenant_scope(scene.tenant.pk):
        fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
        return consumption.consume(
            agent=by or scene.agent, proposal=fresh, seen_hash=seen or fresh.acao_hash
        )


def terms(**changes: Any) -> standing.Terms:
    given: dict[str, Any] = {
        "agent": "agente-a",
        "kind": REFUND,
        "ceiling_centavos": 50_000,
        "max_uses": 10,
        "period": Period.DIA,
        "period_uses": 10,
        "days": 30,
        "reason": "Estornos pequenos do mesmo tipo.",
    }
    return standing.Terms(**(given | changes))


def proposed(scene: Scene, **changes: Any) -> StandingPermission:
    with tenant_scope(scene.tenant.pk):
        return standing.propose(
            admin=scene.admins[0], owner=scene.owner.subject, terms=terms(**changes)
        )


def permitted(scene: Scene, **changes: Any) -> StandingPermission:
    permission = proposed(scene, **changes)
    with tenant_scope(scene.tenant.pk):
        standing.confirm(permission=permission, admin=scene.admins[1], owner=scene.owner.subject)
    return permission


def fill(tenant: Tenant) -> None:
    """At least one row in each table of what agents consume and what admins permit beforehand."""
    scene = a_scene(tenant)
    permitted(scene)
    proposal = a_proposal(scene)
    consume(scene, proposal)
    with tenant_scope(tenant.pk):
        consumption.report_effect(agent=scene.agent, proposal=proposal, outcome=EffectOutcome.OK)
