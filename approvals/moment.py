"""What a decision rests on, read afresh by one statement: roles, votes, policy, the clock."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from approvals import rules
from approvals.models import AgenteAprovacao
from approvals.rules import Version
from opspilot.tenancy import sql
from opspilot.tenancy.principal import Principal, Role

_SQL = Path(__file__).parent / "sql"


@dataclass(frozen=True, slots=True)
class Moment:
    """`at` is the database's clock. `policy` is None where the company has none in force."""

    at: dt.datetime
    roles: frozenset[Role]  # the person's own; none for somebody deactivated
    deciding: frozenset[str]  # the roles that may decide the proposal
    lent: bool  # whether somebody may have lent them a power; `delegation` says which holds
    votes: list[tuple[str, str]]  # who voted, and in whose name ('' = their own)
    policy: Version | None


def read(*, principal: Principal, proposal: AgenteAprovacao) -> Moment:
    """Everything at the same moment, whatever the principal and the proposal still say."""
    ((at, roles, given, lent, votes, newest),) = sql.rows(
        _SQL / "moment.sql",
        user_id=principal.user_id,
        subject=principal.subject,
        approval_id=proposal.pk,
    )
    policy = Version(int(newest[0]), newest[1]) if newest else None
    still = rules.still_given(kind=proposal.acao, roles=given, version=policy)
    return Moment(
        at=at,
        roles=frozenset(Role(role) for role in roles or ()),
        deciding=frozenset({proposal.papel_exigido, *still}),
        lent=lent,
        votes=[(subject, on_behalf_of) for subject, on_behalf_of in votes],
        policy=policy,
    )
