"""What an admin allows models to cost. A limit is never changed: a newer one takes its place."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext_lazy as _

from audit import trail
from audit.masking import mask
from opspilot.budgets.models import Limit, Scope
from opspilot.errors import InvalidInputError, RoleRequiredError
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import POLICY_WRITERS

_NAMES = {Scope.COMPANY: "empresa", Scope.AGENT: "agente", Scope.RUN: "rodada"}  # in the trail


class AgentOfLimitError(InvalidInputError):
    code = "agente_do_limite"
    what = _("O limite de um agente precisa do nome do agente, e os outros não têm um.")
    next_step = _("Escolha o agente, ou deixe o campo vazio.")


@dataclass(frozen=True, slots=True)
class Given:
    """A limit as an admin gives it. `centavos` None: no limit of its own from now on."""

    scope: Scope
    subject: str
    centavos: Decimal | None
    reason: str


def give(*, admin: Principal, given: Given) -> Limit:
    if not admin.has(*POLICY_WRITERS):
        raise RoleRequiredError(roles=sorted(POLICY_WRITERS))
    if (given.scope is Scope.AGENT) != bool(given.subject):
        raise AgentOfLimitError
    made = Limit.objects.create(
        tenant_id=admin.tenant_id,
        scope=given.scope,
        subject=given.subject,
        centavos=given.centavos,
        reason=mask(given.reason),
        author=admin.subject,
        author_name=admin.name,
    )
    whose = " ".join([_NAMES[given.scope], given.subject]).strip()
    most = "nenhum" if given.centavos is None else f"{given.centavos:f} centavos"
    trail.record_act(
        admin, "orcamento.definido", saida_resumo=f"limite: {whose}; {most}; {given.reason}"
    )
    return made


def standing(agent: str) -> dict[Scope, Decimal | None]:
    """What holds now for a call of this agent; None: no limit of its own."""
    newest = {(row.scope, row.subject): row.centavos for row in in_force()}
    return {
        Scope.COMPANY: newest.get((Scope.COMPANY, "")),
        Scope.AGENT: newest.get((Scope.AGENT, agent)),
        Scope.RUN: newest.get((Scope.RUN, "")),
    }


def in_force() -> list[Limit]:
    """The newest row of each scope and subject."""
    return list(Limit.objects.order_by("scope", "subject", "-pk").distinct("scope", "subject"))
