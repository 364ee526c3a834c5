"""What `bench approvals` measures inside the application, with a few rows."""

from __future__ import annotations

import pytest

from approvals.models import AgenteAprovacao, State
from opspilot.bench import approvals_decisions, approvals_fill
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.test_long_queue import PROJECTS

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant(monkeypatch: pytest.MonkeyPatch) -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant, projects=PROJECTS)
    models = approvals_fill.models(tenant.pk)
    approvals_fill.fill(tenant_id=tenant.pk, models=models, waiting=60, decided=0)
    for name, value in {"ROUNDS": 1, "EACH": 4, "WARM": 1, "CONTESTED": 3, "RIVALS": 4}.items():
        monkeypatch.setattr(approvals_decisions, name, value)
    return tenant


@pytest.mark.parametrize("threads", [1, 2])
def test_both_kinds_decide_as_many_proposals(tenant: Tenant, threads: int) -> None:
    found = approvals_decisions.rates(tenant_id=tenant.pk, threads=threads)
    with tenant_scope(tenant.pk):
        assert AgenteAprovacao.objects.filter(estado=State.APROVADA).count() == 2 * (4 + 1)
    assert found.service > 0
    assert found.bare > 0


def test_of_rivals_at_one_proposal_exactly_one_wins(tenant: Tenant) -> None:
    found = approvals_decisions.race(tenant_id=tenant.pk, threads=4)
    assert (found.acts, found.terminal) == (12, 3)
    assert (found.double, found.lost, found.other) == (0, 0, 0)


def test_a_winner_whose_verdict_is_missing_counts_as_lost(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approvals_decisions, "_try", lambda proposal, approver: "won")
    found = approvals_decisions.race(tenant_id=tenant.pk, threads=1)
    assert (found.lost, found.terminal, found.double) == (6, 0, 3)
