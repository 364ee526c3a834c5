"""Whom an event concerns, as the names the ledger keeps them by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from approvals import decisions
from approvals.deciders import delegation, escalation
from approvals.models import AgenteAprovacao, Delegation
from opspilot.api.models import Agent
from opspilot.notices.events import Event
from opspilot.notices.models import Destination, Format, Kind
from opspilot.tenancy import selectors as people
from opspilot.tenancy.models import User
from opspilot.tenancy.principal import Principal, agent_subject, subject_of

PERSON, PLACE = "usuario:", "destino:"
STUCK = frozenset({Kind.ESCALADA, Kind.RESULTADO})
"""Told also to who wants no letters: nobody else is coming."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """`gathers` = reads like a person, so low risk comes in a digest; a program takes each at once."""

    name: str
    gathers: bool = True


class Known:
    """Whom a batch of events asks for again and again, each read once."""

    def __init__(self) -> None:
        self._people: dict[str, User | None] = {}

    @cached_property
    def places(self) -> list[Recipient]:
        return _places()

    def person(self, name: str) -> User | None:
        if name not in self._people:
            self._people[name] = person(name)
        return self._people[name]


def of(*, proposal: AgenteAprovacao, event: Event, known: Known) -> list[Recipient]:
    found = [
        Recipient(subject_of(user.pk))
        for user in _people(proposal, event, known)
        if user.email and wants(user, event.kind)
    ]
    return found + known.places + _agents(proposal, event)


def wants(user: User, kind: Kind) -> bool:
    return user.mail_notices or kind in STUCK


def person(name: str) -> User | None:
    """The active person behind a ledger name, if they are still in the company and have an
    address."""
    number = name.removeprefix(PERSON) if name.startswith(PERSON) else ""
    user = User.objects.filter(pk=int(number)).first() if number.isdecimal() else None
    return user if user is not None and user.is_active and user.email else None


def place(name: str) -> Destination | None:
    ref = name.removeprefix(PLACE) if name.startswith(PLACE) else ""
    return Destination.objects.filter(ref=ref).first() if ref else None


def agent(name: str) -> Agent | None:
    slug = name.removeprefix(agent_subject("")) if name.startswith(agent_subject("")) else ""
    return Agent.objects.filter(slug=slug).first() if slug else None


def name_of(destination: Destination) -> str:
    return f"{PLACE}{destination.ref}"


def may_decide(*, user: User, proposal: AgenteAprovacao) -> bool:
    """The rule of the decision itself, asked for somebody who is not here."""
    principal = people.principal(user)
    if principal is None:
        return False
    return decisions.standing(principal=principal, proposal=proposal) == "may_decide"


def _people(proposal: AgenteAprovacao, event: Event, known: Known) -> list[User]:
    match event.kind:
        case Kind.DECISAO:
            asker = known.person(proposal.solicitante)
            return [asker] if asker else []
        case Kind.RESULTADO:
            return holding(escalation.deciding_roles(proposal))
        case _:
            found = holding(escalation.deciding_roles(proposal)) + _lent()
            able = {u.pk: u for u in found if may_decide(user=u, proposal=proposal)}
            return [u for u in able.values() if not event.about or _has(u, event.about)]


def holding(roles: frozenset[str]) -> list[User]:
    """Everybody active with one of these roles."""
    holders = people.roles_by_subject()
    return _users(subject for subject, held in holders.items() if roles & held)


def _lent() -> list[User]:
    return _users(
        Delegation.objects.filter(delegation.in_force()).values_list("receiver", flat=True)
    )


def _users(subjects: Iterable[str]) -> list[User]:
    numbers = [int(subject.removeprefix(PERSON)) for subject in subjects]
    return list(User.objects.filter(pk__in=numbers, is_active=True).order_by("pk"))


def _has(user: User, role: str) -> bool:
    principal: Principal | None = people.principal(user)
    return principal is not None and role in delegation.effective_roles(principal)


def _places() -> list[Recipient]:
    active = Destination.objects.filter(active=True).order_by("pk")
    return [Recipient(name_of(row), row.format != Format.PADRAO) for row in active]


def _agents(proposal: AgenteAprovacao, event: Event) -> list[Recipient]:
    """The agent that asked hears what became of it, if it said where."""
    if event.kind != Kind.DECISAO or not proposal.agente:
        return []
    calling = Agent.objects.filter(slug=proposal.agente, active=True).exclude(callback_url="")
    return [Recipient(agent_subject(row.slug), gathers=False) for row in calling]
