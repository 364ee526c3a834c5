"""Consults for tests: who asks, what of, and what may be read of it afterwards."""

from __future__ import annotations

from collections.abc import Callable

from grounding import consulting
from grounding.access import askers, granting, readable
from grounding.access.readable import Who
from grounding.contract import Contexto, Resultado
from grounding.models import Collection
from grounding.retrieval import consult
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import AgentPrincipal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

QUESTION = "How do I restart the consumer of the payments queue?"
REASON = "Combinado na reunião de acessos."
OTHER = "# Salaries\n\nThe payroll of the payments team is closed on the fifth working day.\n"


def collection(tenant: Tenant, slug: str = "plataforma") -> Collection:
    with tenant_scope(tenant.pk):
        return Collection.objects.get(slug=slug)


def give(tenant: Tenant, subject: str, slug: str = "plataforma") -> None:
    _change(granting.grant, tenant, subject, slug)


def take(tenant: Tenant, subject: str, slug: str = "plataforma") -> None:
    _change(granting.revoke, tenant, subject, slug)


def take_from(tenant: Tenant, role: Role, slug: str = "plataforma") -> None:
    take(tenant, readable.role_subject(role), slug)


def _change(act: Callable[..., None], tenant: Tenant, subject: str, slug: str) -> None:
    admin = factories.a_principal(tenant, Role.ADMIN)
    found = collection(tenant, slug)
    with tenant_scope(tenant.pk):
        act(principal=admin, collection=found, subject=subject, reason=REASON)


def an_agent(tenant: Tenant, slug: str = "coletor") -> AgentPrincipal:
    return AgentPrincipal(
        tenant_id=tenant.pk,
        tenant_name=tenant.name,
        slug=slug,
        name="Coletor noturno",
        owner="usuario:1",
        scopes=frozenset(),
    )


def ask(who: Who, *scopes: str, question: str = QUESTION, **context: object) -> Resultado:
    """Over the scopes that are named, or over all that are granted."""
    given = Contexto(
        agente_id=who.subject,
        escopos_permitidos=scopes or None,
        **context,  # type: ignore[arg-type]
    )
    return consulting.consultar_grounding(question, given, asker=askers.asker(who))


def prepared(tenant: Tenant) -> Callable[..., consult.Query]:
    """`prepare` that embeds once and gives the same again: where the words do not matter."""
    query = consult.prepare(QUESTION, tenant_id=tenant.pk)
    return lambda _text, **_known: query


def fill(tenant: Tenant) -> None:
    """A receipt; a collection's entries come with the collection. Nothing is granted, so nothing is
    embedded."""
    ask(an_agent(tenant))
