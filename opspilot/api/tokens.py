"""Tokens of agents: 256 random bits, shown once, kept as an HMAC. They let in; they decide nothing.

    opsk_1f0c9a2b_<43 characters>      the first two parts are the visible prefix

The key of the HMAC is the installation's own: a copy of the database lets nobody in.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from opspilot.api import entries
from opspilot.api.errors import AlreadyIssuedError, TokenEndedError, TooManyTokensError
from opspilot.api.models import Agent, AgentToken
from opspilot.api.scopes import Scope
from opspilot.errors import NotFoundError
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal, subject_in

MARK = "opsk"
RANDOM_BYTES = 32
LIFETIMES = (30, 90, 180, 365)  # days; none lives for ever
OVERLAP = dt.timedelta(hours=1)  # how long a rotated token still lets in
MOST = 10  # valid tokens of one agent


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token and its text, which exists nowhere else. Never log it, never store it."""

    token: AgentToken
    text: str


def hash_of(text: str) -> str:
    key = settings.OPSPILOT_HMAC_KEY.encode()
    return hmac.new(key, b"token:" + text.encode(), hashlib.sha256).hexdigest()


def issue(
    *, principal: Principal, agent: Agent, ref: UUID, scopes: Iterable[str], days: int
) -> Issued:
    """Make a token. `ref` comes with the form: sent twice, it makes one token.

    Raises AlreadyIssuedError, TooManyTokensError, or ValueError for a scope or a lifetime that is
    not on the list.
    """
    wanted = sorted(str(Scope(scope)) for scope in scopes)
    if not wanted or days not in LIFETIMES:
        raise ValueError("a token needs a scope, and one of the lifetimes")
    issued = _store(principal, agent, ref, wanted, dt.timedelta(days=days))
    entries.record(agent, action="token.emitido", by=principal, words=_words(issued.token))
    return issued


def rotate(*, principal: Principal, token: AgentToken, ref: UUID) -> Issued:
    """A successor with the same scopes and the same length of life; the old one ends in OVERLAP."""
    now = clock.now()
    if not is_valid(token, at=now):
        raise TokenEndedError
    issued = _store(
        principal,
        token.agent,
        ref,
        list(token.scopes),
        token.expires_at - token.created_at,
        issued_before=[subject_in(token.created_by)],
    )
    end = min(token.expires_at, now + OVERLAP)
    AgentToken.objects.filter(pk=token.pk).update(expires_at=end)
    words = f"{token.prefix} → {_words(issued.token)}"
    entries.record(token.agent, action="token.trocado", by=principal, words=words)
    return issued


def revoke(*, principal: Principal, token: AgentToken) -> None:
    """From this moment on it lets nobody in. Raises TokenEndedError when it did not anyway."""
    now = clock.now()
    living = AgentToken.objects.filter(pk=token.pk, revoked_at=None, expires_at__gt=now)
    if not living.update(revoked_at=now, revoked_by=principal.signature):
        raise TokenEndedError
    entries.record(token.agent, action="token.revogado", by=principal, words=token.prefix)


def revoke_all(*, principal: Principal, agent: Agent) -> None:
    """Every token of the agent, at once. Raises TokenEndedError when none was valid."""
    now = clock.now()
    valid = AgentToken.objects.filter(_valid(now), agent=agent)
    prefixes = sorted(valid.select_for_update().values_list("prefix", flat=True))
    if not prefixes:
        raise TokenEndedError
    valid.update(revoked_at=now, revoked_by=principal.signature)
    entries.record(agent, action="token.revogado", by=principal, words=", ".join(prefixes))


def get(*, agent: Agent, ref: UUID) -> AgentToken:
    found = AgentToken.objects.select_related("agent").filter(agent=agent, ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def of(*, agent: Agent) -> list[AgentToken]:
    """The newest first."""
    return list(AgentToken.objects.filter(agent=agent).order_by("-pk"))


def issuers(token: AgentToken) -> frozenset[str]:
    """The subjects of who issued it and of who issued the one it took the place of."""
    return frozenset({subject_in(token.created_by), *token.issued_before})


def is_valid(token: AgentToken, *, at: dt.datetime) -> bool:
    return token.revoked_at is None and at < token.expires_at


def _store(
    principal: Principal,
    agent: Agent,
    ref: UUID,
    scopes: list[str],
    life: dt.timedelta,
    issued_before: list[str] | None = None,
) -> Issued:
    now = clock.now()
    if AgentToken.objects.filter(_valid(now), agent=agent).count() >= MOST:
        raise TooManyTokensError
    prefix = f"{MARK}_{secrets.token_hex(4)}"
    text = f"{prefix}_{secrets.token_urlsafe(RANDOM_BYTES)}"
    token = AgentToken(
        tenant_id=principal.tenant_id,
        ref=ref,
        agent=agent,
        prefix=prefix,
        hash=hash_of(text),
        scopes=scopes,
        created_by=principal.signature,
        issued_before=issued_before or [],
        expires_at=now + life,
    )
    try:
        with transaction.atomic():
            token.save(force_insert=True)
    except IntegrityError as exc:  # the same form, sent twice at once
        raise AlreadyIssuedError from exc
    token.refresh_from_db()
    token.agent = agent
    return Issued(token, text)


def _valid(now: dt.datetime) -> Q:
    return Q(revoked_at=None, expires_at__gt=now)


def _words(token: AgentToken) -> str:
    return f"{token.prefix}: {', '.join(token.scopes)}; até {token.expires_at:%Y-%m-%d %H:%M} UTC"
