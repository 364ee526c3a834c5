"""What the laboratory refuses. Its pages open their own transactions, so a refusal that rolls one back
must be tried with real ones."""

from __future__ import annotations

import uuid

from opspilot.tenancy.principal import Role
from tests import factories
from tests.db.browsing import a_browser

LAB = "/conhecimento/bancada/"


def test_a_fusion_without_figures_or_reason_is_refused_in_its_page(committed: None) -> None:
    tenant = factories.a_tenant()
    browser = a_browser(tenant, Role.ADMIN)
    answer = browser.client.post(f"{LAB}medidas/fusao/", {"fusao": "rrf60", "motivo": ""})
    assert answer.status_code == 422
    assert "As medidas não sustentam" in answer.content.decode()


def test_a_question_that_is_not_there_is_not_found(committed: None) -> None:
    tenant = factories.a_tenant()
    client = a_browser(tenant, Role.ADMIN).client
    assert client.get(f"{LAB}{uuid.uuid4()}/").status_code == 404


def test_the_laboratory_is_the_admins(committed: None) -> None:
    tenant = factories.a_tenant()
    client = a_browser(tenant, Role.OPERADOR).client
    pages = [LAB, f"{LAB}medidas/", f"{LAB}{uuid.uuid4()}/"]
    assert {client.get(page).status_code for page in pages} == {403}
