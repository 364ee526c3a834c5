"""Who stands at the door: from the token of a request to an agent of one tenant, or a refusal.

The tenant comes from the token alone (I5). Everything is asked in one short transaction, which
also counts a request that was let in; what is refused is raised after it, so that the count stays.
"""

from __future__ import annotations

import datetime as dt
import hmac
from dataclasses import dataclass
from typing import cast

import structlog
from django.db import connection
from django.db.models import Q
from django.http import HttpRequest

from opspilot.api import tokens, window
from opspilot.api.errors import (
    AgentInactiveError,
    OwnerGoneError,
    TokenExpiredError,
    TokenMissingError,
    TokenRevokedError,
    TokenUnknownError,
)
from opspilot.api.models import AgentToken
from opspilot.errors import OpsPilotError
from opspilot.tenancy import clock
from opspilot.tenancy.models import Membership
from opspilot.tenancy.principal import AgentPrincipal, Role, subject_of
from opspilot.tenancy.scope import tenant_scope

NOTED_EVERY = dt.timedelta(minutes=1)  # between two writes of a token's last use
MAX_HEADER = 200  # characters; a token has fewer

# A token of nobody has no tenant: it belongs to the security log, not to the trail.
security = structlog.get_logger("opspilot.security")


@dataclass(frozen=True, slots=True)
class Visitor:
    """The agent a request was let in for, and what of it and its token the door writes about.
    `issuers` are the subjects of who issued the token."""

    principal: AgentPrincipal
    agent_id: int
    model: str
    instruction_hash: str
    version: str
    issuers: frozenset[str]


class DoorRequest(HttpRequest):
    """A request that came in by the agents' door."""

    visitor: Visitor


def admit(request: HttpRequest) -> DoorRequest:
    """Let the request in, or raise why not. `request.visitor` is set as soon as the token is known,
    also when it is refused, so that the refusal is recorded in the agent's tenant."""
    text = _bearer(request.headers.get("Authorization", ""))
    digest = tokens.hash_of(text)
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, id FROM principal_of_token(%s)", [digest])
        pair = cursor.fetchone()
    if pair is None:
        security.warning("a token of nobody was shown at the door")
        raise TokenUnknownError
    with tenant_scope(pair[0]):
        token = AgentToken.objects.select_related("agent", "tenant").get(pk=pair[1])
        visitor, is_owned = _visitor(token)
        request.visitor = visitor  # type: ignore[attr-defined]
        is_news, fault = _note_use(token), _fault(token, digest, is_owned)
        if fault is None:
            fault = window.count(agent_id=token.agent_id)
        elif not is_news:
            fault.facts["told"] = True
    if fault is not None:
        raise fault
    return cast(DoorRequest, request)


def ask_again(request: DoorRequest) -> None:
    """Raise what `admit` would by now, of a request that was let in and is still here. Counts
    nothing: it is the same request."""
    digest = tokens.hash_of(_bearer(request.headers.get("Authorization", "")))
    with tenant_scope(request.visitor.principal.tenant_id):
        token = AgentToken.objects.select_related("agent", "tenant").filter(hash=digest).first()
        fault = _fault(token, digest, _visitor(token)[1]) if token else TokenUnknownError()
    if fault is not None:
        raise fault


def _bearer(header: str) -> str:
    scheme, _space, text = header.partition(" ")
    if scheme.lower() != "bearer" or not text or len(header) > MAX_HEADER or not text.isascii():
        raise TokenMissingError
    return text.strip()


def _visitor(token: AgentToken) -> tuple[Visitor, bool]:
    """The visitor, and whether somebody in the company still answers for it."""
    agent = token.agent
    owner = Membership.objects.filter(user_id=agent.owner_id, user__is_active=True).first()
    roles = frozenset(Role(role) for role in owner.roles) if owner else frozenset[Role]()
    principal = AgentPrincipal(
        tenant_id=token.tenant_id,
        tenant_name=token.tenant.name,
        slug=agent.slug,
        name=agent.name,
        owner=subject_of(agent.owner_id),
        scopes=frozenset(token.scopes),
        owner_roles=roles,
    )
    visitor = Visitor(
        principal,
        agent.pk,
        agent.model,
        agent.instruction_hash,
        agent.version,
        tokens.issuers(token),
    )
    return visitor, bool(roles)


def _fault(token: AgentToken, digest: str, is_owned: bool) -> OpsPilotError | None:
    if not hmac.compare_digest(token.hash, digest):
        return TokenUnknownError()
    if token.revoked_at is not None:
        return TokenRevokedError()
    if clock.now() >= token.expires_at:
        return TokenExpiredError()
    if not token.agent.active:
        return AgentInactiveError()
    return None if is_owned else OwnerGoneError()


def _note_use(token: AgentToken) -> bool:
    """Also of a token that is refused; whether it was time to. A refused one fills nobody's minute,
    or whoever found an old token could shut its agent out; it leaves one row each time noted."""
    now = clock.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - NOTED_EVERY)
    return bool(AgentToken.objects.filter(stale, pk=token.pk).update(last_used_at=now))
