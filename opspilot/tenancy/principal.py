"""Who is acting, for which tenant, with which roles. Frozen: another actor is another Principal."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated person inside one tenant. Built only from a membership row or a token."""

    tenant_id: UUID
    tenant_name: str
    user_id: int
    name: str
    roles: frozenset[Role]

    @property
    def subject(self) -> str:
        return subject_of(self.user_id)

    @property
    def signature(self) -> str:
        return signature(self.name, self.subject)

    def has(self, *roles: Role) -> bool:
        return not self.roles.isdisjoint(roles)
