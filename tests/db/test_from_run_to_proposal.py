"""A proposal starts from an answer or a command, and once it stands its run does not change."""

from __future__ import annotations

import pytest

from approvals.errors import AlreadyProposedError
from approvals.models import AgenteAprovacao
from opspilot.harness import services
from opspilot.harness.models import Run, RunKind, RunState
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

pytestmark = pytest.mark.django_db
WITHOUT_ANSWER = [RunState.QUEUED, RunState.RUNNING, RunState.FAILED]


def a_requester() -> tuple[Tenant, Principal]:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant, factories.a_principal(tenant, Role.OPERADOR)


def fill_in(by: Principal, run: Run, title: str = "Reiniciar o consumidor") -> None:
    with tenant_scope(by.tenant_id):
        services.fill_in(
            principal=by,
            run=run,
            data=factories.a_command(title=title),
            justification="A fila parou e clientes esperam.",
            document="",
        )


def confirm(by: Principal, run: Run) -> AgenteAprovacao:
    with tenant_scope(by.tenant_id):
        seen = services.draft_of(principal=by, run=run).hash
        return services.confirm(principal=by, run=run, seen_hash=seen)


def as_stored(run: Run) -> Run:
    with tenant_scope(run.tenant_id):
        return Run.objects.get(pk=run.pk)


@pytest.mark.parametrize("state", WITHOUT_ANSWER)
def test_no_command_is_filled_in_from_a_question_without_an_answer(state: RunState) -> None:
    tenant, by = a_requester()
    run = factories.a_run(tenant, by=by, kind=RunKind.QUESTION, state=state)
    with pytest.raises(services.UnansweredError):
        fill_in(by, run)
    assert as_stored(run).command == {}


@pytest.mark.parametrize("state", WITHOUT_ANSWER)
def test_no_proposal_is_confirmed_from_a_question_without_an_answer(state: RunState) -> None:
    tenant, by = a_requester()
    run = factories.a_run(tenant, by=by)
    fill_in(by, run)
    with tenant_scope(tenant.pk):
        Run.objects.filter(pk=run.pk).update(state=state)
    with pytest.raises(services.UnansweredError):
        confirm(by, run)
    with tenant_scope(tenant.pk):
        assert not AgenteAprovacao.objects.exists()


def test_an_answered_question_becomes_a_proposal_with_its_coverage() -> None:
    tenant, by = a_requester()
    run = factories.a_run(
        tenant, by=by, kind=RunKind.QUESTION, state=RunState.ANSWERED, coverage="alta"
    )
    fill_in(by, run)
    assert confirm(by, run).cobertura == "alta"


def test_a_run_that_has_its_proposal_keeps_the_command_it_came_from() -> None:
    tenant, by = a_requester()
    run = factories.a_run(tenant, by=by)
    fill_in(by, run)
    confirm(by, run)
    with pytest.raises(AlreadyProposedError):
        fill_in(by, run, title="Outra coisa")
    assert as_stored(run).command["fields"]["title"] == "Reiniciar o consumidor"


def test_a_second_confirmation_is_refused() -> None:
    tenant, by = a_requester()
    run = factories.a_run(tenant, by=by)
    fill_in(by, run)
    confirm(by, run)
    with pytest.raises(AlreadyProposedError):
        confirm(by, run)
