"""A customer named in a command is registered by the confirmation, not by looking at it first."""

from __future__ import annotations

import pytest

from audit.models import AgenteAcao, Entity
from opspilot.harness import services
from opspilot.harness.models import Run
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant() -> Tenant:
    found = factories.a_tenant()
    factories.a_policy(found)
    return found


@pytest.fixture
def requester(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def reviewed(by: Principal) -> Run:
    with tenant_scope(by.tenant_id):
        return services.open_command(
            principal=by,
            data=factories.a_command(),
            justification="A fila parou e clientes esperam.",
            document=factories.CPF,
        )


def confirmed(by: Principal, run: Run) -> str | None:
    with tenant_scope(by.tenant_id):
        seen = services.draft_of(principal=by, run=run).hash
        return services.confirm(principal=by, run=run, seen_hash=seen).entidade_id


def test_looking_at_a_command_registers_nobody_and_says_who_it_is_about(
    tenant: Tenant, requester: Principal
) -> None:
    run = reviewed(requester)
    with tenant_scope(tenant.pk):
        assert not Entity.objects.exists()
        assert not AgenteAcao.objects.filter(acao="entidade.registrada").exists()
        assert services.client_of(run).startswith("CPF ***")


def test_the_number_is_not_kept_while_the_command_waits(requester: Principal) -> None:
    kept = str(reviewed(requester).command)
    assert factories.CPF not in kept
    assert "".join(filter(str.isdigit, factories.CPF)) not in kept


def test_the_confirmation_registers_the_customer_once(tenant: Tenant, requester: Principal) -> None:
    first, second = reviewed(requester), reviewed(requester)
    refs = {confirmed(requester, first), confirmed(requester, second)}
    with tenant_scope(tenant.pk):
        assert refs == {str(Entity.objects.get().ref)}
        assert AgenteAcao.objects.filter(acao="entidade.registrada").count() == 1


def test_after_the_confirmation_the_run_keeps_the_internal_id_alone(
    tenant: Tenant, requester: Principal
) -> None:
    run = reviewed(requester)
    ref = confirmed(requester, run)
    with tenant_scope(tenant.pk):
        kept = Run.objects.get(pk=run.pk).command
    assert (kept["entity"], kept["customer"]) == (ref, None)
