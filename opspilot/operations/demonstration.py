"""Two demo tenants, five people each named by their role, and the runbooks they ask."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from approvals import policies
from grounding import uploads
from grounding.models import Document
from grounding.uploads import File
from opspilot.tenancy.models import Membership, Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_tenant, create_user, grant_roles

RUNBOOKS = Path(__file__).parent / "demo"
POLICIES = Path(policies.__file__).parent / "fixtures"
TENANTS = {"aurora": "Aurora Energia", "boreal": "Boreal Telecom"}
PEOPLE: dict[str, tuple[Role, ...]] = {
    "operador1": (Role.OPERADOR,),
    "aprovador1": (Role.APROVADOR,),
    "aprovador2": (Role.APROVADOR,),
    "auditor1": (Role.AUDITOR,),
    "conformidade1": (Role.CONFORMIDADE,),
    "admin1": (Role.ADMIN,),
}


@dataclass(frozen=True, slots=True)
class Person:
    username: str
    role: str
    tenant: str


def seed(*, password: str) -> list[Person]:
    """Make the demonstration; running it again changes nothing, passwords included."""
    return [person for slug, name in TENANTS.items() for person in _tenant(slug, name, password)]


def _tenant(slug: str, name: str, password: str) -> Iterator[Person]:
    tenant = create_tenant(slug=slug, name=name)
    admin: User | None = None
    for key, roles in PEOPLE.items():
        display = f"{key.rstrip('0123456789')} {key[-1]}"
        user = create_user(username=f"{key}.{slug}", display_name=display, password=password)
        User.objects.filter(pk=user.pk, email="").update(email=f"{key}@{slug}.example")
        _join(tenant, user, roles)
        admin = user if Role.ADMIN in roles else admin
        yield Person(user.username, str(roles[0]), slug)
    document = json.loads((POLICIES / f"{slug}.json").read_text())
    with tenant_scope(tenant.pk):
        if policies.latest() is None:  # two admins may have changed it since
            policies.install(document=document, by="instalação")
        if admin is not None and not Document.objects.exists():
            _upload(tenant, admin)


def _join(tenant: Tenant, user: User, roles: tuple[Role, ...]) -> None:
    """Whoever is in keeps the roles they have been given since."""
    with tenant_scope(tenant.pk):
        joined = Membership.objects.filter(user=user).exists()
    if not joined:
        grant_roles(tenant=tenant, user=user, roles=roles)


def _upload(tenant: Tenant, admin: User) -> None:
    """Through the same door as a person's files: the worker reads and publishes them."""
    principal = Principal(
        tenant_id=tenant.pk,
        tenant_name=tenant.name,
        user_id=admin.pk,
        name=str(admin),
        roles=frozenset({Role.ADMIN}),
    )
    for folder in sorted(p for p in (RUNBOOKS / tenant.slug).iterdir() if p.is_dir()):
        collection = uploads.collection(principal=principal, slug=folder.name)
        contents = ((path.name, path.read_bytes()) for path in sorted(folder.glob("*.md")))
        files = [File(name, len(content), content) for name, content in contents]
        uploads.accept(principal=principal, collection=collection, files=files)
