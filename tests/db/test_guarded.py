"""Around a call of a remote: what is refused has not left, and only the remote's own faults count."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from opspilot.connectors.errors import (
    BreakerOpenError,
    ConnectorError,
    NoSlotError,
    NotAllowedError,
    NotSentError,
    OutcomeUnknownError,
    PostponedError,
    RefusedByRemoteError,
    RemoteFaultError,
    ThrottledError,
    UnavailableError,
)
from opspilot.connectors.guarded import guarded
from opspilot.resilience import breaker
from opspilot.resilience.models import Slot

COMPANY = uuid.uuid4()

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def remote(settings: Settings) -> str:
    settings.OPSPILOT_BREAKER_FAILURES = 2
    settings.OPSPILOT_BREAKER_SECONDS = 30.0
    settings.OPSPILOT_CONNECTOR_SLOTS = 2
    return f"test-{uuid.uuid4().hex[:12]}"


def failing(remote: str, error: Exception) -> None:
    with pytest.raises(type(error)), guarded(remote, tenant_id=COMPANY):
        raise error


@pytest.mark.parametrize(
    "error",
    [
        NotSentError("x"),
        ThrottledError("x", 3.0),
        UnavailableError("x"),
        RemoteFaultError("x"),
    ],
)
def test_faults_of_the_remote_or_the_way_count(remote: str, error: ConnectorError) -> None:
    failing(remote, error)
    assert breaker.admit(remote).failures == 1


@pytest.mark.parametrize(
    "error",
    [
        OutcomeUnknownError("an answer that cannot be read"),
        RefusedByRemoteError("x", 403),
        NotAllowedError("x"),
        PostponedError("x", 1.0),
        ValueError("a fault of ours"),
    ],
)
def test_an_answer_or_a_fault_of_ours_does_not_count(remote: str, error: Exception) -> None:
    failing(remote, error)
    assert breaker.admit(remote).failures == 0


def test_an_answer_ends_the_row_of_faults(remote: str) -> None:
    failing(remote, NotSentError("x"))
    failing(remote, RefusedByRemoteError("x", 404))
    failing(remote, NotSentError("x"))
    with guarded(remote, tenant_id=COMPANY):
        pass
    assert breaker.admit(remote).failures == 0


def test_an_open_breaker_postpones_and_nothing_leaves(remote: str) -> None:
    for _ in range(2):
        failing(remote, NotSentError("x"))
    called = False
    with pytest.raises(BreakerOpenError) as caught, guarded(remote, tenant_id=COMPANY):
        called = True
    assert not called
    assert isinstance(caught.value, NotSentError)
    assert 1.0 <= caught.value.retry_after <= 30.0


def test_without_a_free_slot_the_call_is_postponed(remote: str) -> None:
    first, second, third = (guarded(remote, tenant_id=COMPANY) for _ in range(3))
    with first, second, pytest.raises(NoSlotError) as caught, third:
        pass
    assert caught.value.retry_after >= 1.0


@pytest.mark.parametrize("error", [None, NotSentError("x"), ValueError("x")])
def test_the_slot_is_given_back_however_the_call_ends(remote: str, error: Exception | None) -> None:
    if error is None:
        with guarded(remote, tenant_id=COMPANY):
            assert Slot.objects.filter(connector=remote, until__isnull=False).count() == 1
    else:
        failing(remote, error)
    assert Slot.objects.filter(connector=remote, until__isnull=False).count() == 0


def test_a_call_that_is_postponed_by_the_breaker_keeps_no_slot(remote: str) -> None:
    for _ in range(2):
        failing(remote, NotSentError("x"))
    with pytest.raises(BreakerOpenError), guarded(remote, tenant_id=COMPANY):
        pass
    assert Slot.objects.filter(connector=remote, until__isnull=False).count() == 0


def test_it_wraps_a_function_and_gives_its_result(remote: str) -> None:
    def double(number: int) -> int:
        assert Slot.objects.filter(connector=remote, until__isnull=False).count() == 1
        return number * 2

    call = guarded(remote, tenant_id=COMPANY)(double)
    assert [call(1), call(2)] == [2, 4]


def test_a_call_of_no_company_is_guarded_too(remote: str) -> None:
    with guarded(remote):
        assert Slot.objects.filter(connector=remote, until__isnull=False).count() == 1


def test_inside_a_transaction_a_remote_is_not_called(remote: str) -> None:
    called = False
    with transaction.atomic(), pytest.raises(RuntimeError), guarded(remote, tenant_id=COMPANY):
        called = True
    assert not called


def test_no_transaction_is_open_while_the_remote_is_called(remote: str) -> None:
    with guarded(remote, tenant_id=COMPANY):
        assert connection.connection.info.transaction_status.name == "IDLE"


def test_while_all_is_well_it_costs_three_statements(remote: str) -> None:
    with CaptureQueriesContext(connection) as statements, guarded(remote, tenant_id=COMPANY):
        pass
    assert [row["sql"].split()[0] for row in statements] == ["SELECT", "SELECT", "UPDATE"]
