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

from django.db.models import Q
from django.db.models.functions import Now

from approvals.deciders import owners
from approvals.models import AgenteAprovacao
from opspilot.tenancy import sql
from opspilot.tenancy.principal import Principal, Role


@dataclass(frozen=True, slots=True)
class Loan:
    """A delegation in force, with the roles its giver still has themselves."""

    giver: str
    giver_name: str
    roles: frozenset[Role]
    until: dt.datetime


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
    """How far somebody's view of the queue goes beyond their own roles: what they were lent, and
    what waits and was given to a role they have either way, as (role, proposal)."""

    loans: tuple[Loan, ...]
    given: tuple[tuple[str, int], ...]


READER = Path(__file__).parents[1] / "sql" / "reader.sql"


def reader(principal: Principal) -> dict[str, Any]:
    """What READER asks about."""
    return {"me": principal.subject, "roles": [str(role) for role in principal.roles]}


def reach_of(principal: Principal) -> Reach:
    return reach_in(sql.record(READER, **reader(principal)), principal)


def reach_in(found: Mapping[str, Any], principal: Principal) -> Reach:
    """From the record of a statement that has READER in it."""
    loans = [_loan(**row) for row in found["loans"]] if principal.roles else []
    given = [(role, proposal) for role, proposal in found["given"]]
    return Reach(tuple(loan for loan in loans if loan.roles), tuple(given))


def _loan(giver: str, giver_name: str, ends_at: str, roles: list[str]) -> Loan:
    until = dt.datetime.fromisoformat(ends_at)
    return Loan(giver, giver_name, frozenset(Role(role) for role in roles), until)


def loans_to(principal: Principal) -> list[Loan]:
    """What others have lent this person, the oldest first; nothing to somebody without a role."""
    return list(reach_of(principal).loans) if principal.roles else []


def effective_roles(principal: Principal) -> frozenset[Role]:
    """The person's own roles and those lent to them now."""
    return principal.roles.union(*(loan.roles for loan in loans_to(principal)))


def waiting_for(principal: Principal, reach: Reach) -> Q:
    """Proposals for a role that this person has or was lent, but for what a lender may not decide.
    Of what the person themselves asked for or voted on it says nothing."""
    wanted = _asks(principal.roles, reach.given)
    for loan in reach.loans:
        barred = Q(solicitante=loan.giver) | Q(agente_dono=loan.giver)
        barred |= Q(agente_barrados__contains=[loan.giver])
        wanted |= _asks(loan.roles, reach.given) & ~barred
    return wanted


def _asks(roles: frozenset[Role], given: Sequence[tuple[str, int]]) -> Q:
    """What asks for one of these roles, itself or since it was escalated. By number: a subquery
    under an OR makes the database read every row that waits."""
    asks = Q(papel_exigido__in=[str(role) for role in roles])
    numbers = [proposal for role, proposal in given if role in roles]
    return asks | Q(pk__in=numbers) if numbers else asks


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
