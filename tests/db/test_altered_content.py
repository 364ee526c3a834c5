"""A proposal altered in the database behind our back: readable as such, decided by nobody."""

from __future__ import annotations

import pytest
from django.test import Client
from psycopg import Connection

from opspilot.tenancy.principal import Role
from tests import factories

ALTERATIONS = {
    "a field changed": """jsonb_set(proposta, '{title}', '"Outro"')""",
    "fields lost": "'{}'::jsonb",
    "the target lost": "proposta - 'target'",
    "a float smuggled in": "jsonb_set(proposta, '{schema}', '1.5')",
}


@pytest.mark.parametrize("alteration", ALTERATIONS)
def test_the_page_says_so_and_offers_no_decision(
    committed: None, admin: Connection, alteration: str
) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    change = ALTERATIONS[alteration]
    admin.execute(
        f"UPDATE agente_aprovacao SET proposta = {change} WHERE id = %s",  # noqa: S608 - the four above
        [proposal.pk],
    )
    client = Client()
    client.force_login(factories.a_person(tenant, Role.APROVADOR))
    page = client.get(f"/aprovacoes/{proposal.ref}/")
    assert page.status_code == 200
    assert "alterado fora do console" in page.content.decode()
    assert "decidir=aprovar" not in page.content.decode()
    assert client.get("/aprovacoes/").status_code == 200
