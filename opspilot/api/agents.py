"""Agents of the company: made, changed and switched off by admins, each act a row of the trail."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from audit.masking import mask
from opspilot.api import callbacks, entries
from opspilot.api.errors import CallbackNotAllowedError, OwnerNotMemberError, SlugTakenError
from opspilot.api.models import SLUG_LENGTH, Agent, AgentOwnerChange
from opspilot.connectors import egress
from opspilot.connectors.errors import NotAllowedError
from opspilot.errors import NotFoundError
from opspilot.tenancy import clock
from opspilot.tenancy.models import Membership, User
from opspilot.tenancy.principal import Principal, subject_of

RESERVED = frozenset({"console", "sistema", "nenhum"})
"""Names the trail already uses for something else."""

REMEMBERED = dt.timedelta(days=30)
"""How long a change of owner bars who had a part in it from deciding what the agent asks for."""

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Details:
    """What an admin says of an agent. `owner_id` is the person who answers for it and is never
    asked to approve what it proposes; `model` and `instruction_hash` stand for proposals that name
    none of their own, `version` for what it reports."""

    name: str
    purpose: str
    owner_id: int
    version: str = ""
    model: str = ""
    instruction_hash: str = ""
    callback_url: str = ""


def is_slug(text: str) -> bool:
    fits = len(text) <= SLUG_LENGTH and text not in RESERVED
    return fits and _SLUG.fullmatch(text) is not None


def create(*, principal: Principal, slug: str, details: Details) -> Agent:
    """Make the agent. It can do nothing until a token is issued.

    Raises SlugTakenError, OwnerNotMemberError or CallbackNotAllowedError, and ValueError for a slug
    that is none.
    """
    if not is_slug(slug):
        raise ValueError("not a short name an agent may have")
    owner = _member(details.owner_id)
    _check_callback(details.callback_url)
    try:
        with transaction.atomic():
            agent = Agent.objects.create(
                tenant_id=principal.tenant_id,
                slug=slug,
                created_by=principal.signature,
                **dataclasses.asdict(details),
            )
    except IntegrityError as exc:
        raise SlugTakenError from exc
    agent.refresh_from_db()
    entries.record(agent, action="agente.criado", by=principal, words=_answers_for(owner))
    return agent


def change(*, principal: Principal, agent: Agent, details: Details) -> None:
    """Set what the admin says now; the slug stays. Nothing is written when nothing differs."""
    owner = _member(details.owner_id)
    _check_callback(details.callback_url)
    wanted = dataclasses.asdict(details)
    different = [name for name, value in wanted.items() if getattr(agent, name) != value]
    if not different:
        return
    before = agent.owner_id
    Agent.objects.filter(pk=agent.pk).update(**wanted)
    agent.refresh_from_db()
    words = ", ".join(different)
    if "owner_id" in different:
        _record_owners(agent, before=before, by=principal)
        words += f"; {_answers_for(owner)}"
    entries.record(agent, action="agente.alterado", by=principal, words=words)


def switch(*, principal: Principal, agent: Agent, active: bool, reason: str = "") -> None:
    """Off, no token of the agent lets in; on, those that are still valid do again."""
    kept = "" if active else mask(reason)
    standing = Agent.objects.filter(pk=agent.pk, active=not active)
    if not standing.update(active=active, pause_reason=kept):
        return
    agent.active, agent.pause_reason = active, kept
    action = "agente.reativado" if active else "agente.desativado"
    entries.record(agent, action=action, by=principal, words=reason)


def rotate_callback_secret(*, principal: Principal, agent: Agent) -> str:
    """A new secret, returned once. The one before signs beside it for a day (`callbacks`)."""
    number = agent.callback_number + 1
    Agent.objects.filter(pk=agent.pk).update(
        callback_number=number, callback_rotated_at=clock.now()
    )
    agent.refresh_from_db()
    entries.record(agent, action="segredo.trocado", by=principal, words=f"nº {number}")
    return callbacks.secret(agent=agent, number=number)


def get(*, ref: UUID) -> Agent:
    found = Agent.objects.select_related("owner").filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def lately_behind(*, agent_id: int) -> frozenset[str]:
    """The subjects that had the agent within REMEMBERED and gave it away or got it, and of who did
    that. Who has it all that time is not among them: the agent's row says who."""
    rows = AgentOwnerChange.objects.filter(agent_id=agent_id, at__gt=clock.now() - REMEMBERED)
    return frozenset(chain.from_iterable(rows.values_list("before", "after", "by")))


def members() -> list[User]:
    """Who may answer for an agent: active, in the company, with a role."""
    found = Membership.objects.select_related("user").filter(user__is_active=True)
    people = [membership.user for membership in found.exclude(roles=[])]
    return sorted(people, key=lambda person: str(person).casefold())


def _record_owners(agent: Agent, *, before: int, by: Principal) -> None:
    AgentOwnerChange.objects.create(
        tenant_id=agent.tenant_id,
        agent=agent,
        before=subject_of(before),
        after=subject_of(agent.owner_id),
        by=by.subject,
    )


def _check_callback(url: str) -> None:
    """Said when it is set, and asked again before each letter: the list may get shorter."""
    if not url:
        return
    try:
        egress.place(url, allowed=settings.OPSPILOT_EGRESS_HTTP)
    except NotAllowedError as exc:
        raise CallbackNotAllowedError from exc


def _member(user_id: int) -> User:
    found = Membership.objects.select_related("user").exclude(roles=[])
    membership = found.filter(user_id=user_id, user__is_active=True).first()
    if membership is None:
        raise OwnerNotMemberError
    return membership.user


def _answers_for(owner: User) -> str:
    return f"responde {owner} (usuario:{owner.pk})"
