"""An agent as it stands at this moment, without its token: what it could do, tried by a person.

Nothing is created, counted or recorded: no proposal, no receipt, no row of the trail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from approvals.policy import tester
from approvals.policy.tester import Asker, TestResult
from grounding.access import readable
from grounding.retrieval import consult, coverage
from grounding.retrieval.coverage import Coverage
from grounding.retrieval.search import Source
from opspilot.api import tokens
from opspilot.api.errors import AgentInactiveError, OwnerGoneError, ScopeRequiredError
from opspilot.api.models import Agent
from opspilot.api.scopes import Scope
from opspilot.tenancy import clock
from opspilot.tenancy.models import Membership
from opspilot.tenancy.principal import AgentPrincipal, Principal, Role, subject_of
from opspilot.tenancy.scope import tenant_scope

NO_TOKEN = "token_ausente"  # noqa: S105 - a code


@dataclass(frozen=True, slots=True)
class DoorCheck:
    """One thing the door asks before the policy is asked. `code` is the refusal's, if it is one."""

    rule: str
    ok: bool
    code: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the agent would be answered. `sources` are those that whoever tries it may read, too;
    `hidden` counts the others. With any of those the coverage is None: it would tell of them."""

    collections: Sequence[str]
    coverage: Coverage | None
    sources: Sequence[Source]
    hidden: int


def principal(agent: Agent, *, by: Principal) -> AgentPrincipal:
    """With the scopes of all its valid tokens together."""
    owner = Membership.objects.filter(user_id=agent.owner_id, user__is_active=True).first()
    return AgentPrincipal(
        tenant_id=agent.tenant_id,
        tenant_name=by.tenant_name,
        slug=agent.slug,
        name=agent.name,
        owner=subject_of(agent.owner_id),
        scopes=frozenset(scopes_of(agent)),
        owner_roles=frozenset(Role(role) for role in owner.roles) if owner else frozenset(),
    )


def scopes_of(agent: Agent) -> list[str]:
    """What its valid tokens open together, in the order in which scopes are offered."""
    now = clock.now()
    valid = [token for token in tokens.of(agent=agent) if tokens.is_valid(token, at=now)]
    opened = {scope for token in valid for scope in token.scopes}
    return [str(scope) for scope in Scope if scope in opened]


def door(agent: Agent, who: AgentPrincipal, scope: Scope) -> list[DoorCheck]:
    """What the door would say, each answered, also after the first refusal."""
    lacking = _("Nenhum token dele abre %(scope)s.") % {"scope": scope}
    return [
        _check(_("Agente ativo"), agent.active, AgentInactiveError.code, AgentInactiveError.what),
        _check(_("Responsável"), bool(who.owner_roles), OwnerGoneError.code, OwnerGoneError.what),
        _check(
            _("Token válido"),
            bool(who.scopes),
            NO_TOKEN,
            _("Nenhum token dele vale neste momento."),
        ),
        _check(_("Escopo"), scope in who.scopes, ScopeRequiredError.code, lacking),
    ]


def ask_policy(
    who: AgentPrincipal, *, action: Mapping[str, Any], coverage: str | None
) -> TestResult:
    """As the agent's own question to the policy, but for its token."""
    asker = Asker(roles=who.owner_roles, agent=who.slug, coverage=coverage)
    return tester.test_action(asker=asker, action=action, draft=None)


def look(who: AgentPrincipal, *, by: Principal, text: str) -> Seen:
    """Opens its own scopes: the question is translated and embedded with none open. Raises
    UnavailableError when the embedder does not answer."""
    query = consult.prepare(text, tenant_id=who.tenant_id)
    with tenant_scope(who.tenant_id):
        granted = readable.by(who)
        if not granted:
            nothing = Coverage("nenhuma", 0.0, ("nothing_found",), coverage.CALIBRATION)
            return Seen([], nothing, [], 0)
        found = consult.consult(query=query, collections=[one.id for one in granted])
        mine = set(readable.ids(by))
    shown = [source for source in found.ranked if source.collection_id in mine]
    names = [one.name for one in granted]
    hidden = len(found.ranked) - len(shown)
    return Seen(names, None if hidden else found.coverage, shown, hidden)


def _check(rule: str, ok: bool, code: str, sentence: object) -> DoorCheck:
    return DoorCheck(rule, ok) if ok else DoorCheck(rule, ok, code, str(sentence))
