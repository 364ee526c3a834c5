"""A person says which issue is ours; only what the worker then sees of it counts."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings

from approvals.errors import NotAnIssueOfThisError, NothingToProveError
from approvals.execution import proving
from approvals.models import ExecutionState
from opspilot.connectors.errors import ConnectorError, RefusedByRemoteError, UnavailableError
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.executing import advance, attempts, make_due, the_issue, trail, unknown_outcome
from tests.factories import Approved
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")
HOST = "{host}"  # the target of the tests, wherever they run


def looked_for() -> Approved:
    """Unknown, and one look-up was in vain."""
    approved, tracker = unknown_outcome()
    advance(approved, tracker)
    return approved


def say(approved: Approved, address: str) -> int:
    with tenant_scope(approved.tenant.pk):
        return proving.say(
            proposal=approved.proposal,
            person=approved.requester,
            address=address.replace(HOST, settings.OPSPILOT_GITLAB_URL),
        )


@pytest.mark.parametrize(
    "address",
    [
        "31",
        " #31 ",
        f"{HOST}/aurora/infra/-/issues/31",
        f"{HOST}/aurora/infra/issues/31",
        f"{HOST}/aurora/infra/-/work_items/31?show=notes#note_4",
    ],
)
def test_a_number_and_an_address_of_the_project_are_understood(address: str) -> None:
    assert say(looked_for(), address) == 31


@pytest.mark.parametrize(
    "address",
    [
        "",
        "0",
        "-3",
        "trinta",
        "31; DROP",
        f"{HOST}/aurora/nucleo/-/issues/31",
        f"{HOST}/outra/aurora/infra/-/issues/31",
        "http://outro.exemplo/aurora/infra/-/issues/31",
        "{host}@outro.exemplo/aurora/infra/-/issues/31",
        f"{HOST}/aurora/infra/-/merge_requests/31",
        "http://[/",
    ],
)
def test_what_is_no_issue_of_the_approved_project_is_refused(address: str) -> None:
    approved = looked_for()
    with pytest.raises(NotAnIssueOfThisError):
        say(approved, address)
    assert approved.execution().proof == {}


def test_an_issue_that_is_ours_and_as_approved_is_done() -> None:
    approved = looked_for()
    say(approved, "7")
    tracker = FakeTracker(gets=[the_issue(approved)])
    row = advance(approved, tracker)
    assert (row.state, row.remote["iid"], row.proof) == (ExecutionState.CONCLUIDA, 7, {})
    assert [(call.what, call.iid) for call in tracker.calls] == [("get", 7)]
    assert [r.resultado for r in trail(approved)] == ["desconhecido", "ok"]
    assert attempts(approved)[-1] == ("busca", 2, "confere")


@pytest.mark.parametrize(
    "difference", [{"author_id": 44}, {"description": "sem marcador"}, {"title": "Outro"}]
)
def test_an_issue_of_somebody_else_or_of_another_content_proves_nothing(
    difference: dict[str, Any],
) -> None:
    approved = looked_for()
    say(approved, "7")
    row = advance(approved, FakeTracker(gets=[the_issue(approved, **difference)]))
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, "prova_nao_confere")
    assert row.proof == {}
    assert row.next_lookup_at is not None  # the look-ups go on as before


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (RefusedByRemoteError("gone", 404), "prova_nao_achada"),
        (UnavailableError("down"), "prova_sem_resposta"),
    ],
)
def test_an_issue_that_cannot_be_read_proves_nothing(failure: ConnectorError, reason: str) -> None:
    approved = looked_for()
    say(approved, "7")
    row = advance(approved, FakeTracker(gets=[failure]))
    assert (row.state, row.reason) == (ExecutionState.DESCONHECIDA, reason)


def test_who_pointed_at_it_is_in_the_trail() -> None:
    approved = looked_for()
    say(approved, "7")
    (row,) = trail(approved, "execucao.apontada", pending=True)
    assert row.entrada_resumo == approved.requester.signature


def test_nothing_is_pointed_at_before_the_first_look_or_when_the_outcome_is_known() -> None:
    fresh, _ = unknown_outcome()
    done = factories.an_approved_execution()
    advance(done, FakeTracker())
    for approved in (fresh, done):
        with pytest.raises(NothingToProveError):
            say(approved, "7")


def test_a_worker_that_died_while_it_looked_leaves_the_proof_due() -> None:
    approved = looked_for()
    say(approved, "7")
    with pytest.raises(RuntimeError):
        advance(approved, FakeTracker(gets=[RuntimeError("the process ends here")]))
    make_due(approved)
    row = advance(approved, FakeTracker(gets=[the_issue(approved)]))
    assert row.state == ExecutionState.CONCLUIDA
