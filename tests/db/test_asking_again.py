"""What expired, was refused or sent back is asked again in a run of its own, linked to the first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from approvals.errors import (
    AlreadyProposedError,
    NothingToAskAgainError,
    NothingToResumeError,
)
from approvals.execution import recovery, withdrawal
from approvals.models import AgenteAprovacao, Execution, ExecutionState, State
from opspilot.errors import NotFoundError
from opspilot.harness import selectors, services
from opspilot.harness.models import Run
from opspilot.tenancy import selectors as people
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import deciding, entering
from tests.db.deciding import approver, refuse
from tests.db.races import at_once

pytestmark = pytest.mark.usefixtures("committed")


def proposed(tenant: Tenant, by: Principal) -> AgenteAprovacao:
    """A proposal as a person makes it: a command that is filled in and confirmed."""
    factories.a_policy(tenant)
    with tenant_scope(tenant.pk):
        run = services.open_command(
            principal=by,
            data=factories.a_command(),
            justification="A fila parou e clientes esperam.",
            document="",
        )
        draft = services.draft_of(principal=by, run=run)
        return services.confirm(principal=by, run=run, seen_hash=draft.hash)


def ask_again(proposal: AgenteAprovacao, by: Principal) -> Run:
    with tenant_scope(by.tenant_id):
        run = Run.objects.get(ref=proposal.correlacao_id)
        return services.ask_again(principal=by, run=run)


def confirmed(run: Run, by: Principal) -> AgenteAprovacao:
    with tenant_scope(by.tenant_id):
        fresh = selectors.own_run(principal=by, ref=run.ref)
        draft = services.draft_of(principal=by, run=fresh)
        return services.confirm(principal=by, run=fresh, seen_hash=draft.hash)


def test_a_refused_proposal_is_asked_again_in_a_run_of_its_own_linked_to_it() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    first = refuse(proposed(tenant, by), approver(tenant))
    second = confirmed(ask_again(first, by), by)
    assert (second.estado, second.anterior_id) == (State.PENDENTE, first.pk)
    assert second.correlacao_id != first.correlacao_id
    assert second.proposta == first.proposta


def test_a_proposal_sent_back_keeps_the_link_through_the_change_that_was_asked_for() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    first = deciding.ask_for_changes(proposed(tenant, by), approver(tenant))
    run = ask_again(first, by)
    with tenant_scope(tenant.pk):
        services.fill_in(
            principal=by,
            run=selectors.own_run(principal=by, ref=run.ref),
            data=factories.a_command(title="Reiniciar só o consumidor do host pag-01"),
            justification="Como pediram: um host só.",
            document="",
        )
    second = confirmed(run, by)
    assert (second.anterior_id, second.proposta["title"]) == (
        first.pk,
        "Reiniciar só o consumidor do host pag-01",
    )


def test_what_waits_is_carried_out_or_was_is_not_asked_again() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    waiting = proposed(tenant, by)
    with pytest.raises(NothingToAskAgainError):
        ask_again(waiting, by)
    approved = factories.approve(waiting, approver(tenant))
    with pytest.raises(NothingToAskAgainError):
        ask_again(approved, by)


def test_an_execution_that_was_withdrawn_needs_a_new_proposal_and_may_have_one() -> None:
    tenant = factories.a_tenant()
    by, decider = factories.a_principal(tenant, Role.OPERADOR), approver(tenant)
    first = factories.approve(proposed(tenant, by), decider)
    with tenant_scope(tenant.pk):
        withdrawal.withdraw(proposal=first, decider=decider)
    assert confirmed(ask_again(first, by), by).anterior_id == first.pk


def test_only_the_requester_asks_again() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    first = refuse(proposed(tenant, by), approver(tenant))
    with pytest.raises(NotFoundError):
        ask_again(first, factories.a_principal(tenant, *Role))


def test_each_asking_makes_one_proposal() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    run = ask_again(refuse(proposed(tenant, by), approver(tenant)), by)
    confirmed(run, by)
    with pytest.raises(AlreadyProposedError):
        confirmed(run, by)


@pytest.mark.parametrize(
    ("verdict", "page"), [("refuse", "/confirmar/"), ("ask_for_changes", "/proposta/")]
)
def test_one_click_leads_to_the_confirmation_or_first_to_the_change(
    verdict: str, page: str
) -> None:
    tenant = factories.a_tenant()
    person = factories.a_person(tenant, Role.OPERADOR)
    client = entering.logged_in(person)
    with tenant_scope(tenant.pk):
        by = people.principal(person)
    assert by is not None
    first = getattr(deciding, verdict)(proposed(tenant, by), approver(tenant))
    response = client.post(f"/rodadas/{first.correlacao_id}/de-novo/")
    assert response.status_code == 302
    assert response.headers["Location"].endswith(page)
    assert client.get(response.headers["Location"]).status_code == 200


def test_two_runs_that_ask_the_same_again_make_one_proposal() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    first = refuse(proposed(tenant, by), approver(tenant))
    runs = [ask_again(first, by), ask_again(first, by)]
    confirmed(runs[0], by)
    with pytest.raises(NothingToAskAgainError):
        confirmed(runs[1], by)
    with pytest.raises(NothingToAskAgainError):
        ask_again(first, by)


def blocked(tenant: Tenant, by: Principal) -> AgenteAprovacao:
    """Approved, and never sent: the target did not let the project be read."""
    proposal = factories.approve(proposed(tenant, by), approver(tenant))
    with tenant_scope(tenant.pk):
        Execution.objects.filter(approval=proposal).update(
            state=ExecutionState.BLOQUEADA, reason="destino_sem_acesso"
        )
    return proposal


def test_what_was_let_be_tried_again_meanwhile_is_not_asked_again_by_an_older_run() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    first = blocked(tenant, by)
    run = ask_again(first, by)
    with tenant_scope(tenant.pk):
        recovery.resume(proposal=first, person=by)
    with pytest.raises(NothingToAskAgainError):
        confirmed(run, by)


def test_what_was_asked_again_is_not_let_be_tried_again() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    first = blocked(tenant, by)
    confirmed(ask_again(first, by), by)
    with tenant_scope(tenant.pk), pytest.raises(NothingToResumeError):
        recovery.resume(proposal=first, person=by)


def resume(proposal: AgenteAprovacao, by: Principal) -> None:
    with tenant_scope(by.tenant_id):
        recovery.resume(proposal=proposal, person=by)


def test_asking_again_and_trying_again_at_once_leave_one_way_to_an_effect() -> None:
    for _ in range(8):
        tenant = factories.a_tenant()
        by = factories.a_principal(tenant, Role.OPERADOR)
        first = blocked(tenant, by)
        run = ask_again(first, by)

        acts: list[Callable[[], object]] = [
            partial(resume, first, by),
            partial(confirmed, run, by),
        ]
        outcomes = at_once(acts)
        assert sum(isinstance(o, Exception) for o in outcomes) == 1, outcomes
