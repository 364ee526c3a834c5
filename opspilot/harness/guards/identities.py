"""Who makes a call, as the table of tools knows them: by what they hold, never by what they say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from opspilot.tenancy import selectors
from opspilot.tenancy.principal import AgentPrincipal, Principal, subject_of


class Kind(StrEnum):
    PERSON = "person"
    AGENT = "agent"
    RUN = "run"  # of a person, who is not there any more
    WORKER = "worker"


@dataclass(frozen=True, slots=True)
class Identity:
    """`holds`: of a person and of a run, the person's roles now; of an agent, its token's scopes; a
    worker holds nothing. No field takes a text of a document, of a request or of a model."""

    kind: Kind
    holds: frozenset[str] = frozenset()


WORKER = Identity(Kind.WORKER)


def of_person(principal: Principal) -> Identity:
    return Identity(Kind.PERSON, frozenset(str(role) for role in principal.roles))


def of_agent(agent: AgentPrincipal) -> Identity:
    return Identity(Kind.AGENT, agent.scopes)


def of_run(*, requester: str) -> Identity:
    """Of a run by its requester's subject, with their roles at this moment: none once they are out.

    Inside the scope of the run's tenant.
    """
    number = requester.rpartition(":")[2]
    if not (number.isascii() and number.isdecimal() and requester == subject_of(int(number))):
        return Identity(Kind.RUN)
    roles = selectors.roles_now(user_id=int(number))
    return Identity(Kind.RUN, frozenset(str(role) for role in roles))
