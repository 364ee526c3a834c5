"""Agents for tests, made through the product's own services, and their side of the door."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.test import Client, RequestFactory

from opspilot.api import agents, entry, idempotency, reported, tokens
from opspilot.api.agents import Details
from opspilot.api.entry import Visitor
from opspilot.api.models import Agent, AgentToken
from opspilot.api.reported import Made
from opspilot.api.scopes import Scope
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

PURPOSE = "Abre issues a partir dos alertas da madrugada."
REASON = "O alerta disparou três vezes na última hora."


def an_agent(
    tenant: Tenant, *, owner: Principal | None = None, slug: str = "", **details: Any
) -> Agent:
    """An active agent; its owner is an operador unless said otherwise."""
    answers = owner or factories.a_principal(tenant, Role.OPERADOR)
    admin = factories.a_principal(tenant, Role.ADMIN)
    values: dict[str, Any] = {
        "name": "Coletor noturno",
        "purpose": PURPOSE,
        "owner_id": answers.user_id,
    } | details
    with tenant_scope(tenant.pk):
        return agents.create(
            principal=admin,
            slug=slug or f"coletor-{uuid.uuid4().hex[:8]}",
            details=Details(**values),
        )


def a_token(agent: Agent, *, scopes: Iterable[str] = tuple(Scope), days: int = 30) -> tokens.Issued:
    with tenant_scope(agent.tenant_id):
        tenant = Tenant.objects.get(pk=agent.tenant_id)
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(agent.tenant_id):
        return tokens.issue(
            principal=admin, agent=agent, ref=uuid.uuid4(), scopes=scopes, days=days
        )


def body(**changes: Any) -> dict[str, Any]:
    """What an agent sends to have an issue proposed; `comando` is merged field by field."""
    command = factories.a_command(labels=["incidente"], assignees=["plantao-infra"])
    command |= changes.pop("comando", {})
    return {"acao": "issue.criada", "comando": command, "justificativa": REASON} | changes


@dataclass(frozen=True, slots=True)
class Answered:
    status: int
    data: Any
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class AtTheDoor:
    """An agent with its token, as a program outside sees the door."""

    tenant: Tenant
    agent: Agent
    token: AgentToken
    text: str

    def get(self, path: str, **headers: str) -> Answered:
        return self.ask("GET", path, **headers)

    def post(self, path: str, data: Any = None, **headers: str) -> Answered:
        return self.ask("POST", path, data, **headers)

    def ask(self, method: str, path: str, data: Any = None, **headers: str) -> Answered:
        """`data` is sent as JSON; bytes as they are. Headers by their own names, "_" for "-"."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return ask(method, path, data, **({"Authorization": f"Bearer {self.text}"} | sent))

    @property
    def visitor(self) -> Visitor:
        """Who the door takes it for."""
        request = RequestFactory(headers={"Authorization": f"Bearer {self.text}"}).get("/api/v1/")
        return entry.admit(request).visitor


def ask(method: str, path: str, data: Any = None, **headers: str) -> Answered:
    """A request with exactly these headers."""
    client = Client(raise_request_exception=False)
    content_type = headers.pop("Content-Type", "application/json")
    response = client.generic(
        method,
        f"/api/v1/{path}",
        data if isinstance(data, bytes) else b"" if data is None else _json(data),
        content_type=content_type,
        headers=headers,
    )
    is_json = "json" in response.get("Content-Type", "")
    return Answered(
        response.status_code,
        response.json() if is_json and response.content else response.content,
        dict(response.headers),
    )


def at_the_door(
    tenant: Tenant | None = None,
    *,
    scopes: Iterable[str] = tuple(Scope),
    owner: Principal | None = None,
    slug: str = "",
    **details: Any,
) -> AtTheDoor:
    """A new agent with a token; without a company, in a new one with a policy."""
    home = tenant or factories.a_tenant()
    if tenant is None:
        factories.a_policy(home)
    agent = an_agent(home, owner=owner, slug=slug, **details)
    issued = a_token(agent, scopes=scopes)
    return AtTheDoor(home, agent, issued.token, issued.text)


def _json(data: Any) -> bytes:
    return json.dumps(data, default=str).encode()


def give(agent: Agent, *, to: Principal, by: Principal | None = None) -> None:
    """Change who answers for it, as an admin does."""
    with tenant_scope(agent.tenant_id):
        admin = by or factories.a_principal(Tenant.objects.get(pk=agent.tenant_id), Role.ADMIN)
        kept = Agent.objects.get(pk=agent.pk)
        details = Details(
            name=kept.name,
            purpose=kept.purpose,
            owner_id=to.user_id,
            model=kept.model,
            instruction_hash=kept.instruction_hash,
            callback_url=kept.callback_url,
        )
        agents.change(principal=admin, agent=kept, details=details)


def fill(tenant: Tenant) -> None:
    """At least one row in each table of the door."""
    door = at_the_door(tenant)
    visitor = door.visitor
    give(door.agent, to=factories.a_principal(tenant, Role.OPERADOR))
    request = RequestFactory().post("/api/v1/aprovacoes", b"{}", content_type="application/json")
    idempotency.claim(visitor=visitor, key="k-1", request=request)
    with tenant_scope(tenant.pk):
        reported.keep(agent_id=door.agent.pk, made=[Made("k-1", "x", 1)])
