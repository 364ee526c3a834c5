"""An execution that fails on our side, every time, keeps nobody else's from its turn."""

from __future__ import annotations

from typing import Any

import pytest

from approvals.execution import advancing, holding
from approvals.models import Execution
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.db.browsing import as_
from tests.db.executing import make_due, take, unknown_outcome
from tests.factories import Approved

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def unknown() -> Approved:
    """Sent while all was well, and due to be looked for."""
    return unknown_outcome()[0]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking for the effect raises, and takes the claim back with it."""

    def effect_of(*_args: Any, **_kwargs: Any) -> None:
        raise OverflowError("date value out of range")

    monkeypatch.setattr(advancing, "effect_of", effect_of)


def work(approved: Approved) -> Execution:
    """As a drain takes the row."""
    tasks._advance("execution", approved.tenant.pk, approved.execution_id)
    return approved.execution()


def is_due(approved: Approved) -> bool:
    return (approved.tenant.pk, approved.execution_id) in tasks.due("execution", 100_000)


def test_a_row_that_fails_before_it_begins_rests_and_says_why(broken: None) -> None:
    approved = factories.an_approved_execution()
    make_due(approved)
    assert is_due(approved)
    row = work(approved)
    assert (row.state, row.reason, row.claim_token) == ("retida", "falha_interna", None)
    assert not is_due(approved)
    page = as_(approved.requester).read(f"/aprovacoes/{approved.proposal.ref}/")
    assert "o console falhou antes de começar e tenta de novo" in page


def test_a_row_that_rests_stands_before_no_other_company_s(broken: None) -> None:
    failing, other = factories.an_approved_execution(), factories.an_approved_execution()
    make_due(failing)
    make_due(other)
    work(failing)
    assert not is_due(failing)
    assert is_due(other)


def test_a_look_that_fails_before_it_begins_rests_and_keeps_its_state(
    unknown: Approved, broken: None
) -> None:
    assert is_due(unknown)
    before = unknown.execution()
    row = work(unknown)
    assert (row.state, row.reason) == ("desconhecida", before.reason)
    assert not is_due(unknown)


def test_a_held_row_is_left_to_its_holder(unknown: Approved) -> None:
    with tenant_scope(unknown.tenant.pk):
        claim = take(execution_id=unknown.execution_id)
        assert claim
    before = unknown.execution()
    holding.put_off(tenant_id=unknown.tenant.pk, execution_id=unknown.execution_id)
    after = unknown.execution()
    assert (after.next_lookup_at, after.updated_at) == (before.next_lookup_at, before.updated_at)
