"""Two demo tenants, their people named by their role, the runbooks they ask, and an agent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from approvals import policies
from grounding.intake import uploads
from grounding.intake.uploads import File
from grounding.models import Document
from opspilot.api import agents
from opspilot.api.models import Agent
from opspilot.tenancy.models import Membership, Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_tenant, create_user, grant_roles

RUNBOOKS = Path(__file__).parent / "demo"
POLICIES = Path(policies.__file__).parent / "fixtures"
TENANTS = {"aurora": "Aurora Energia", "boreal": "Boreal Telecom"}
AGENTS = {  # by the short names that the companies' policies use
    "aurora": (
        "agente-atendimento",
        "Agente de atendimento",
        "Classifica atendimentos e emite estornos, depois de aprovado.",
    ),
    "boreal": (
        "agente-cadastro",
        "Agente de cadastro",
        "Corrige o cadastro de clientes, depois de aprovado.",
    ),
}
PEOPLE: dict[str, tuple[Role, ...]] = {
    "operador1": (Role.OPERADOR,),
    "aprovador1": (Role.APROVADOR,),
    "aprovador2": (Role.APROVADOR,),
    "auditor1": (Role.AUDITOR,),
    "conformidade1": (Role.CONFORMIDADE,),
    "admin1": (Role.ADMIN,),
    "admin2": (Role.ADMIN,),  # a policy or a standing permission takes two
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
    made: dict[str, User] = {}
    for key, roles in PEOPLE.items():
        display = f"{key.rstrip('0123456789')} {key[-1]}"
        user = create_user(username=f"{key}.{slug}", display_name=display, password=password)
        User.objects.filter(pk=user.pk, email="").update(email=f"{key}@{slug}.example")
        _join(tenant, user, roles)
        made[key] = user
        yield Person(user.username, str(roles[0]), slug)
    document = json.loads((POLICIES / f"{slug}.json").read_text())
    with tenant_scope(tenant.pk):
        if policies.latest() is None:  # two admins may have changed it since
            policies.install(document=document, by="instalação")
        admin = _principal(tenant, made["admin1"])
        if not Document.objects.exists():
            _upload(tenant, admin)
        if slug in AGENTS and not Agent.objects.exists():
            _agent(admin, *AGENTS[slug], owner=made["operador1"])


def _join(tenant: Tenant, user: User, roles: tuple[Role, ...]) -> None:
    """Whoever is in keeps the roles they have been given since."""
    with tenant_scope(tenant.pk):
        joined = Membership.objects.filter(user=user).exists()
    if not joined:
        grant_roles(tenant=tenant, user=user, roles=roles)


def _principal(tenant: Tenant, admin: User) -> Principal:
    return Principal(
        tenant_id=tenant.pk,
        tenant_name=tenant.name,
        user_id=admin.pk,
        name=str(admin),
        roles=frozenset({Role.ADMIN}),
    )


def _agent(admin: Principal, slug: str, name: str, purpose: str, *, owner: User) -> None:
    """Without a token: whoever tries it issues one, on the agent's page."""
    if owner not in agents.members():
        return
    details = agents.Details(name=name, purpose=purpose, owner_id=owner.pk)
    agents.create(principal=admin, slug=slug, details=details)


def _upload(tenant: Tenant, principal: Principal) -> None:
    """Through the same door as a person's files: the worker reads and publishes them."""
    for folder in sorted(p for p in (RUNBOOKS / tenant.slug).iterdir() if p.is_dir()):
        collection = uploads.collection(principal=principal, slug=folder.name)
        contents = ((path.name, path.read_bytes()) for path in sorted(folder.glob("*.md")))
        files = [File(name, len(content), content) for name, content in contents]
        uploads.accept(principal=principal, collection=collection, files=files)
