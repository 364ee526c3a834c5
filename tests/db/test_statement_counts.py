"""How often the two pages of approvals ask the database, whatever they show."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from approvals.models import AgenteAprovacao, State
from opspilot.bench import approvals_fill
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import lending
from tests.db.browsing import Browser, as_
from tests.db.deciding import approver
from tests.db.test_attempt_chain import asked_again
from tests.db.test_long_queue import PROJECTS

pytestmark = pytest.mark.usefixtures("committed")

MOST = 12  # what `bench approvals` allows of a page
LISTS = ("", "?risco=alto&alvo=pagamentos", "?ordem=risco", "?fila=todas", "?fila=decididas")
# A transaction's own words read and write nothing.
WORDS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


@pytest.fixture(params=[(10, 40), (240, 80)], ids=["few", "many"])
def tenant(request: pytest.FixtureRequest) -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant, projects=PROJECTS)
    waiting, decided = request.param
    models = approvals_fill.models(tenant.pk)
    approvals_fill.fill(tenant_id=tenant.pk, models=models, waiting=waiting, decided=decided)
    return tenant


@pytest.fixture
def giver(tenant: Tenant) -> Principal:
    return approver(tenant)


@pytest.fixture
def browser(giver: Principal) -> Browser:
    return as_(giver)


def statements(browser: Browser, path: str) -> int:
    """Of the second time, when the process has read the policy."""
    browser.read(path)
    with CaptureQueriesContext(connection) as found:
        assert browser.status(path) == 200
    return sum(not query["sql"].startswith(WORDS) for query in found.captured_queries)


def detail(tenant: Tenant, state: State) -> str:
    with tenant_scope(tenant.pk):
        found = AgenteAprovacao.objects.filter(estado=state)
        return f"/aprovacoes/{found.order_by('pk')[0].ref}/"


@pytest.mark.parametrize("query", LISTS)
def test_the_list_asks_at_most_twelve_times(tenant: Tenant, browser: Browser, query: str) -> None:
    assert statements(browser, f"/aprovacoes/{query}") <= MOST


@pytest.mark.parametrize("state", [State.PENDENTE, State.APROVADA])
def test_a_proposal_s_page_asks_at_most_twelve_times(
    tenant: Tenant, browser: Browser, state: State
) -> None:
    assert statements(browser, detail(tenant, state)) <= MOST


def test_a_proposal_s_page_asks_a_delegate_at_most_twelve_times(
    tenant: Tenant, giver: Principal
) -> None:
    delegate = factories.a_principal(tenant, Role.OPERADOR)
    lending.lend(giver, delegate)
    assert statements(as_(delegate), detail(tenant, State.PENDENTE)) <= MOST


@pytest.mark.parametrize("times", [1, 3])
def test_the_attempts_of_one_request_cost_no_more_however_many(times: int) -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    made = asked_again(tenant, by, times=times)
    assert statements(as_(by), f"/aprovacoes/{made[-1].ref}/") <= MOST
