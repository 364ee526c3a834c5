"""Where the bare addresses of the queue and of the trail lead somebody they ask nothing of."""

from __future__ import annotations

import pytest

from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from tests import factories
from tests.db import lending
from tests.db.browsing import Browser, as_

pytestmark = pytest.mark.usefixtures("committed")

QUEUE, TRAIL = "/aprovacoes/", "/trilha/"


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


def leads(browser: Browser, path: str) -> str:
    """Where the address leads; nothing where it is the page itself."""
    answer = browser.client.get(path)
    return answer["Location"] if answer.status_code == 302 else ""


@pytest.mark.parametrize(
    ("role", "where"),
    [
        (Role.OPERADOR, "?fila=minhas"),
        (Role.AUDITOR, "?fila=todas"),
        (Role.CONFORMIDADE, "?fila=todas"),
    ],
)
def test_who_decides_nothing_opens_the_tab_that_has_something_for_them(
    tenant: Tenant, role: Role, where: str
) -> None:
    assert leads(as_(factories.a_principal(tenant, role)), QUEUE) == f"{QUEUE}{where}"


@pytest.mark.parametrize("role", [Role.APROVADOR, Role.ADMIN])
def test_who_decides_opens_what_waits_for_them(tenant: Tenant, role: Role) -> None:
    assert leads(as_(factories.a_principal(tenant, role)), QUEUE) == ""


def test_who_was_lent_a_role_opens_what_waits_for_them(tenant: Tenant) -> None:
    delegate = factories.a_principal(tenant, Role.OPERADOR)
    lending.lend(factories.a_principal(tenant, Role.APROVADOR), delegate)
    assert leads(as_(delegate), QUEUE) == ""


def test_their_empty_tab_still_opens_by_its_own_address(tenant: Tenant) -> None:
    browser = as_(factories.a_principal(tenant, Role.OPERADOR))
    page = browser.read(f"{QUEUE}?fila=para-mim")
    assert "Seus papéis não decidem propostas" in page
    assert 'href="/aprovacoes/?fila=para-mim"' in browser.read(QUEUE)


@pytest.mark.parametrize(
    ("role", "where"),
    [(Role.AUDITOR, ""), (Role.OPERADOR, "/aprovacoes/?fila=minhas")],
)
def test_the_trail_s_bare_address_leads_to_what_the_role_may_open(
    tenant: Tenant, role: Role, where: str
) -> None:
    assert leads(as_(factories.a_principal(tenant, role)), TRAIL) == where
