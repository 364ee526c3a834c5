"""Every address leads somewhere: one that only acts gives the page its form stands on."""

from __future__ import annotations

import pytest
from django.test import Client

from opspilot.tenancy.principal import Role
from tests import factories


@pytest.mark.parametrize(
    ("act", "page"),
    [
        ("/perguntar/enviar/", "/perguntar/"),
        ("/conhecimento/enviar/", "/conhecimento/"),
        ("/trilha/procurar/", "/trilha/"),
        ("/aprovacoes/{ref}/aprovar/", "/aprovacoes/{ref}/"),
        ("/aprovacoes/{ref}/recusar/", "/aprovacoes/{ref}/"),
        ("/aprovacoes/{ref}/cancelar/", "/aprovacoes/{ref}/"),
        ("/aprovacoes/{ref}/retomar/", "/aprovacoes/{ref}/"),
    ],
)
def test_an_address_that_acts_opens_its_page(committed: None, act: str, page: str) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    client = Client()
    client.force_login(factories.a_person(tenant, *Role))
    answer = client.get(act.format(ref=proposal.ref))
    assert answer.status_code == 302
    assert answer["Location"] == page.format(ref=proposal.ref)
    assert client.get(answer["Location"]).status_code == 200
