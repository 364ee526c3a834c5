"""By whose power somebody decides: their own, or one that was lent to them for an absence.

A lent power is the lender's and stays so: it holds while the lender has the role, is never lent on,
never decides what the lender asked for or whose agent asked for it, and is one vote with the
lender's own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import BooleanField, Func, OuterRef, Q, Subquery, Value
from django.db.models.functions import Now

from approvals.deciders import owners
from approvals.models import AgenteAprovacao, Decision
from opspilot.tenancy import sql
from opspilot.tenancy.principal import Principal, Role


@dataclass(frozen=True, slots=True)
class Loan:
    """A delegation in force, with the roles its giver still has themselves."""

    giver: str
    giver_name: str
    roles: frozenset[Role]
    until: dt.datetime
    agents: tuple[str, ...] = ()  # those the giver answers for now


@dataclass(frozen=True, slots=True)
class Power:
    """What a vote counts as. `lent` = somebody else's, by delegation."""

    subject: str
    name: str
    lent: bool = False


def in_force() -> Q:
    """Delegations that hold at this moment, by the database's clock."""
    return Q(revoked_at=None, starts_at__lte=Now(), ends_at__gt=Now())


@dataclass(frozen=True, slots=True)
class Reach:
    """How far somebody's view of the queue goes beyond their own roles: what they were lent, what
    waits and was given to a role they have either way, as (role, proposal), and whose agents they
    answer for now."""

    loans: tuple[Loan, ...]
    given: tuple[tuple[str, int], ...]
    agents: tuple[str, ...] = ()


READER = Path(__file__).parents[1] / "sql" / "reader.sql"


def reader(principal: Principal) -> dict[str, Any]:
    """What READER asks about."""
    return {
        "me": principal.subject,
        "user_id": principal.user_id,
        "roles": [str(role) for role in principal.roles],
    }


def reach_of(principal: Principal) -> Reach:
    return reach_in(sql.record(READER, **reader(principal)), principal)


def reach_in(found: Mapping[str, Any], principal: Principal) -> Reach:
    """From the record of a statement that has READER in it."""
    loans = [_loan(**row) for row in found["loans"]] if principal.roles else []
    given = [(role, proposal) for role, proposal in found["given"]]
    held = tuple(loan for loan in loans if loan.roles)
    return Reach(held, tuple(given), tuple(found["agents"]))


def _loan(giver: str, giver_name: str, ends_at: str, roles: list[str], agents: list[str]) -> Loan:
    until = dt.datetime.fromisoformat(ends_at)
    return Loan(giver, giver_name, frozenset(Role(role) for role in roles), until, tuple(agents))


def loans_to(principal: Principal) -> list[Loan]:
    """What others have lent this person, the oldest first; nothing to somebody without a role."""
    return list(reach_of(principal).loans) if principal.roles else []


def effective_roles(principal: Principal) -> frozenset[Role]:
    """The person's own roles and those lent to them now."""
    return principal.roles.union(*(loan.roles for loan in loans_to(principal)))


def waiting_for(principal: Principal, reach: Reach) -> Q:
    """What this person can still decide of the proposals that wait: those they have no part in and
    did not vote on, for a role that they have or were lent by somebody whose vote is not given."""
    me = principal.subject
    wanted = _asks(principal.roles, reach.given)
    others = ~_part_of(me, reach.agents)
    if not reach.loans:  # both questions in one: each costs something for every row
        return wanted & others & _no_vote(Q(subject=me) | Q(on_behalf_of=me))
    wanted &= _no_vote(_by_power_of(me))
    for loan in reach.loans:
        able = _asks(loan.roles, reach.given) & ~_part_of(loan.giver, loan.agents)
        wanted |= able & _no_vote(_by_power_of(loan.giver))
    return wanted & others & _no_vote(Q(subject=me))


def _part_of(subject: str, agents: Sequence[str]) -> Q:
    """What they asked for, or an agent that they answer for or stood behind."""
    part = Q(solicitante=subject) | Q(agente_dono=subject)
    part |= Q(agente_barrados__contains=[subject])
    return part | Q(agente__in=agents) if agents else part


def _by_power_of(subject: str) -> Q:
    return Q(subject=subject, on_behalf_of="") | Q(on_behalf_of=subject)


def _no_vote(like: Q) -> Q:
    """Asked of each row by its own number, never of all votes at once. A value and no EXISTS, for
    which the database would read every vote there ever was; and compared with TRUE, as it takes a
    NULL for rare and would sort all that waits to find one page of it."""
    found = Decision.objects.filter(like, approval=OuterRef("pk")).values(yes=Value(True))[:1]
    none = "(%(expressions)s) IS NOT TRUE"
    return Q(Func(Subquery(found), template=none, output_field=BooleanField()))


def _asks(roles: frozenset[Role], given: Sequence[tuple[str, int]]) -> Q:
    """What asks for one of these roles, itself or since it was escalated. By number: a subquery
    under an OR makes the database read every row that waits."""
    asks = Q(papel_exigido__in=[str(role) for role in roles])
    numbers = [proposal for role, proposal in given if role in roles]
    return asks | Q(pk__in=numbers) if numbers else asks


def lenders(
    *, principal: Principal, reach: Reach, rows: Sequence[AgenteAprovacao]
) -> dict[int, str]:
    """Of proposals that wait for this person, those they would vote on by somebody else's power,
    with that one's name. Asks nothing for somebody who was lent none."""
    if not reach.loans:
        return {}
    votes: dict[int, set[str]] = {}
    given = Decision.objects.filter(approval__in=rows)
    for number, subject, lender in given.values_list("approval_id", "subject", "on_behalf_of"):
        votes.setdefault(number, set()).add(lender or subject)
    found = ((row.pk, _lender(principal, reach, row, votes.get(row.pk, set()))) for row in rows)
    return {number: name for number, name in found if name}


def _lender(principal: Principal, reach: Reach, row: AgenteAprovacao, used_up: set[str]) -> str:
    deciding = {row.papel_exigido, *(role for role, number in reach.given if number == row.pk)}
    if deciding & principal.roles and principal.subject not in used_up:
        return ""
    able = (
        loan.giver_name
        for loan in reach.loans
        if deciding & loan.roles and loan.giver not in used_up and not _has_part(loan, row)
    )
    return next(able, "")


def _has_part(loan: Loan, row: AgenteAprovacao) -> bool:
    behind = {row.solicitante, row.agente_dono, *row.agente_barrados}
    return loan.giver in behind or (row.agente != "" and row.agente in loan.agents)


def powers(
    *, principal: Principal, proposal: AgenteAprovacao, deciding: frozenset[str], lent: bool = True
) -> list[Power]:
    """The powers by which this person could vote on the proposal, their own first.

    `lent` = False where the caller has just read that nobody lent them any.
    """
    own = [Power(principal.subject, principal.name)] if deciding & principal.roles else []
    barred = {proposal.solicitante, *owners.of(proposal)}
    return own + [
        Power(loan.giver, loan.giver_name, lent=True)
        for loan in (loans_to(principal) if lent else ())
        if deciding & loan.roles and loan.giver not in barred
    ]


def used(found: Sequence[tuple[str, str]]) -> tuple[frozenset[str], frozenset[str]]:
    """Of these votes, each with the one in whose name it was given ('' = their own): who voted,
    and the subjects whose power that used."""
    return frozenset(s for s, _ in found), frozenset(of or s for s, of in found)
