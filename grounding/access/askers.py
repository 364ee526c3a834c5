"""Who consults, as a receipt and the trail name them, and what they may read at this moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from grounding.access import readable
from grounding.access.readable import Readable, Who
from opspilot.tenancy import selectors
from opspilot.tenancy.principal import AgentPrincipal, subject_of


@dataclass(frozen=True, slots=True)
class Asker:
    """`reads` is asked inside the consult's own transaction: what was granted earlier may be gone.

    `run` is the run whose answer will be the trail's row; None = the consult is the act itself.
    `agent` is the slug under which the trail knows an agent; "" for a person.
    """

    tenant_id: UUID
    subject: str
    name: str
    reads: Callable[[], list[Readable]]
    agent: str = ""
    run: UUID | None = None


def asker(who: Who) -> Asker:
    """Of a request."""
    agent = who.slug if isinstance(who, AgentPrincipal) else ""
    return Asker(who.tenant_id, who.subject, who.name, lambda: readable.by(who), agent)


def of_run(*, tenant_id: UUID, subject: str, name: str, run: UUID) -> Asker:
    """Somebody who asked earlier: their roles are those of now, none once they are out."""
    return Asker(tenant_id, subject, name, lambda: _of_person(subject), run=run)


def _of_person(subject: str) -> list[Readable]:
    number = subject.rpartition(":")[2]
    if not number.isdecimal() or subject != subject_of(int(number)):
        return []
    roles = selectors.roles_now(user_id=int(number))
    return readable.by_subjects(readable.subjects_of_roles(roles))
