"""Agents and tokens as the shapes their pages draw."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from grounding.access import readable
from opspilot.api import agent_purse, agents, as_agent, tokens
from opspilot.api.models import Agent, AgentToken
from opspilot.api.scopes import TOOLS, Scope
from opspilot.presentation.shapes import Fact, State
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal


@dataclass(frozen=True, slots=True)
class AgentLine:
    agent: Agent
    valid_tokens: int
    last_used_at: dt.datetime | None
    spent: str
    state: State
    word: str


@dataclass(frozen=True, slots=True)
class TokenLine:
    token: AgentToken
    scopes: list[str]
    valid: bool
    state: State
    word: str


def agent_lines() -> list[AgentLine]:
    """Every agent of the company with its tokens and its month, in five queries for all of them."""
    found = Agent.objects.select_related("owner").order_by("name", "pk")
    owners, now = {person.pk for person in agents.members()}, clock.now()
    purse = agent_purse.of_the_month()
    of: dict[int, list[AgentToken]] = {}
    for token in AgentToken.objects.all():
        of.setdefault(token.agent_id, []).append(token)
    return [
        _agent_line(agent, of.get(agent.pk, []), owners, now, purse.words(agent.slug))
        for agent in found
    ]


def agent_line(agent: Agent) -> AgentLine:
    owners = {person.pk for person in agents.members()}
    spent = agent_purse.of_the_month().words(agent.slug)
    return _agent_line(agent, tokens.of(agent=agent), owners, clock.now(), spent)


def token_lines(agent: Agent) -> list[TokenLine]:
    now = clock.now()
    return [_token_line(token, now) for token in tokens.of(agent=agent)]


def facts(line: AgentLine) -> list[Fact]:
    agent = line.agent
    return [
        Fact(_("Responde"), str(agent.owner)),
        Fact(_("Nome curto"), agent.slug),
        Fact(_("Versão"), agent.version or _("não informada")),
        Fact(_("Modelo"), agent.model or _("não informado")),
        Fact(_("Instrução"), agent.instruction_hash[:8] or _("não informada")),
        Fact(_("Retorno"), agent.callback_url or _("nenhum"), note=_secret_note(agent)),
        Fact(_("Criado por"), _name(agent.created_by), at=agent.created_at),
        Fact(_("Visto por último"), "" if line.last_used_at else _("nunca"), at=line.last_used_at),
        Fact(_("Gasto com modelos no mês"), line.spent),
    ]


def reach(agent: Agent, *, by: Principal) -> list[Fact]:
    """What its valid tokens open and what it may read, all together."""
    opened = as_agent.scopes_of(agent)
    tools = [name for name, scope in TOOLS.items() if scope in opened]
    names = [one.name for one in readable.by(as_agent.principal(agent, by=by))]
    return [
        Fact(_("Escopos"), ", ".join(opened) or _("nenhum")),
        Fact(_("Ferramentas MCP"), ", ".join(tools) or _("nenhuma")),
        Fact(_("Coleções"), ", ".join(names) or _("nenhuma")),
    ]


def _agent_line(
    agent: Agent, of: Sequence[AgentToken], owners: set[int], now: dt.datetime, spent: str
) -> AgentLine:
    valid = sum(tokens.is_valid(token, at=now) for token in of)
    used = [token.last_used_at for token in of if token.last_used_at is not None]
    state, word = _standing(agent, valid, owned=agent.owner_id in owners)
    return AgentLine(agent, valid, max(used, default=None), spent, state, word)


def _standing(agent: Agent, valid: int, *, owned: bool) -> tuple[State, str]:
    if not agent.active:
        return "failed", _("pausado")
    if not owned:
        return "attention", _("sem responsável")
    return ("done", _("ativo")) if valid else ("pending", _("sem token válido"))


def _token_line(token: AgentToken, now: dt.datetime) -> TokenLine:
    labels = {str(scope): str(scope.label) for scope in Scope}
    scopes = [labels.get(scope, scope) for scope in token.scopes]
    if token.revoked_at is not None:
        return TokenLine(token, scopes, False, "failed", _("revogado"))
    if now >= token.expires_at:
        return TokenLine(token, scopes, False, "failed", _("vencido"))
    return TokenLine(token, scopes, True, "done", _("válido"))


def _secret_note(agent: Agent) -> str:
    if not agent.callback_url:
        return ""
    if agent.callback_number == 0:
        return _("sem segredo: nada é enviado")
    return _("assinado, segredo nº %(number)s") % {"number": agent.callback_number}


def _name(signature: str) -> str:
    return signature.partition(" (")[0]
