"""Who is acting, for which tenant, with which roles. Frozen: another actor is another Principal."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Role(TextChoices):
    OPERADOR = "operador", _("operador")
    APROVADOR = "aprovador", _("aprovador")
    AUDITOR = "auditor", _("auditor")
    CONFORMIDADE = "conformidade", _("conformidade")
    ADMIN = "admin", _("admin")


def subject_of(user_id: int) -> str:
    """The stable identity of a person in decisions and the trail; never an e-mail."""
    return f"usuario:{user_id}"


def signature(name: str, subject: str) -> str:
    """How the trail names a person: "name (id)"."""
    return f"{name} ({subject})"


def subject_in(signed: str) -> str:
    """The subject of a signature: its last bracket, so nobody's name can pass for another's."""
    return signed.rpartition("(")[2].removesuffix(")")


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated person inside one tenant. Built only from a membership row or a token."""

    tenant_id: UUID
    tenant_name: str
    user_id: int
    name: str
    roles: frozenset[Role]
    # Whether an emergency stop of the company was in force when this was read: what every page asks.
    company_stopped: bool = field(default=False, compare=False)

    @property
    def subject(self) -> str:
        return subject_of(self.user_id)

    @property
    def signature(self) -> str:
        return signature(self.name, self.subject)

    def has(self, *roles: Role) -> bool:
        return not self.roles.isdisjoint(roles)


def agent_subject(slug: str) -> str:
    """The stable identity of an agent: its slug never changes."""
    return f"agente:{slug}"


@dataclass(frozen=True, slots=True)
class AgentPrincipal:
    """An authenticated agent of one tenant, built only from a token. It has no `roles`: whatever
    asks for a person's roles does not take it, so it decides nothing.

    `owner` is the subject of the person who answers for it; `owner_roles`, that person's roles now,
    are the most it may ask for.
    """

    tenant_id: UUID
    tenant_name: str
    slug: str
    name: str
    owner: str
    scopes: frozenset[str]
    owner_roles: frozenset[Role] = frozenset()

    @property
    def subject(self) -> str:
        return agent_subject(self.slug)

    @property
    def signature(self) -> str:
        return signature(self.name, self.subject)
