"""Giving and taking the roles of the company's people: by an admin, never one's own, and never to
make another admin. Each change is a row of the trail, beside the history the database keeps."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.errors import ReasonRequiredError
from audit import trail
from audit.vocabulary import Authorization, Result
from opspilot.acessos.role_errors import (
    AdminGivenError,
    OwnRolesError,
    ProviderRolesError,
    RolesMovedError,
    SameRolesError,
)
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy.models import Membership, Tenant, User, tenant_id_of
from opspilot.tenancy.principal import Principal, Role, signature, subject_of
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import grant_roles

MIN_REASON = 10
GIVEN = tuple(role for role in Role if role != Role.ADMIN)
"""What an admin can give; `admin` itself can only be taken away here."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the company, active, with or without roles. `by_provider`: at each login their
    roles come from the company's groups."""

    user_id: int
    name: str
    roles: frozenset[Role]
    by_provider: bool

    @property
    def subject(self) -> str:
        return subject_of(self.user_id)


def person(*, user_id: int) -> Person:
    """Raises NotFoundError for somebody of another company, and for who is switched off."""
    row = _memberships().filter(user_id=user_id).first()
    if row is None:
        raise NotFoundError
    return _person(row)


def without_roles() -> list[Person]:
    """Those who were in the company's roles and have none now, by name."""
    rows = _memberships().filter(roles=[])
    return sorted((_person(row) for row in rows), key=lambda found: found.name)


def check(
    *,
    admin: Principal,
    person: Person,
    wanted: frozenset[Role],
    seen: frozenset[Role],
    reason: str,
) -> None:
    """Raise what stands against it: `seen` are the roles the page showed."""
    if person.user_id == admin.user_id:
        raise OwnRolesError
    if person.by_provider:
        raise ProviderRolesError
    if person.roles != seen:
        raise RolesMovedError(back_url=_page_of(person))
    if Role.ADMIN in wanted - person.roles:
        raise AdminGivenError(back_url=_page_of(person))
    if wanted == person.roles:
        raise SameRolesError(back_url=_page_of(person))
    if len(reason.strip()) < MIN_REASON:
        raise ReasonRequiredError


def _page_of(person: Person) -> str:
    return reverse("acessos:roles", args=[person.user_id])


def change(
    *,
    admin: Principal,
    user_id: int,
    wanted: frozenset[Role],
    seen: frozenset[Role],
    reason: str,
) -> None:
    """Give the person exactly these roles. The company's rows are held meanwhile: of two admins who
    take the role from each other at the same instant one is no admin any more, and is refused."""
    rows = {row.user_id: row for row in Membership.objects.select_for_update().order_by("pk")}
    mine = rows.get(admin.user_id)
    if mine is None or Role.ADMIN not in mine.roles:
        raise RoleRequiredError(roles=[Role.ADMIN])
    found = person(user_id=user_id)
    check(admin=admin, person=found, wanted=wanted, seen=seen, reason=reason)
    Membership.objects.filter(pk=rows[user_id].pk).update(roles=_names(wanted))
    _record(found, wanted, by=admin.signature, reason=reason)


def give_admin(*, tenant: Tenant, user: User, reason: str) -> None:
    """The act of who operates the installation: there, a person with a shell is the second one."""
    with tenant_scope(tenant.pk):
        before = person(user_id=user.pk)
        wanted = before.roles | {Role.ADMIN}
        grant_roles(tenant=tenant, user=user, roles=wanted)
        _record(before, wanted, by="operação da instalação", reason=reason)


def words(roles: Iterable[Role]) -> str:
    """In the order every page names them."""
    return ", ".join(str(role.label) for role in Role if role in set(roles)) or _("nenhum")


def _memberships() -> QuerySet[Membership, Membership]:
    return Membership.objects.select_related("user").filter(user__is_active=True)


def _person(row: Membership) -> Person:
    roles = frozenset(Role(name) for name in row.roles)
    return Person(row.user_id, str(row.user), roles, _by_provider(row))


def _by_provider(row: Membership) -> bool:
    ours = settings.OPSPILOT_OIDC_TENANT
    if not ours or row.tenant_id != tenant_id_of(ours):
        return False
    found: bool = SocialAccount.objects.filter(user_id=row.user_id).exists()
    return found


def _names(roles: Iterable[Role]) -> list[str]:
    return sorted(str(role) for role in roles)


def _record(found: Person, wanted: frozenset[Role], *, by: str, reason: str) -> None:
    before, after = (", ".join(_names(roles)) or "nenhum" for roles in (found.roles, wanted))
    who = signature(found.name, found.subject)
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao="papeis.alterados",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=by,
            saida_resumo=f"{who}: de {before} para {after}. Motivo: {reason.strip()}",
        )
    )
