"""A worker speaks to remotes about as many effects as it has lanes, and holds on to none of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from approvals.execution import speaking as room
from approvals.execution.speaking import speaking
from opspilot.connectors.errors import NoSlotError, RefusedByRemoteError
from opspilot.worker.management.commands import worker

COMPANY = uuid.uuid4()
pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture(autouse=True)
def one_lane(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.OPSPILOT_EXECUTION_LANES = 1
    monkeypatch.setattr(room, "PATIENCE", 0.01)
    room._lanes.cache_clear()
    yield
    room._lanes.cache_clear()


@pytest.fixture
def remote() -> str:
    return f"test-{uuid.uuid4().hex[:12]}"


def test_what_finds_every_lane_speaking_is_asked_to_wait_and_has_sent_nothing(remote: str) -> None:
    with (
        speaking(remote, tenant_id=COMPANY),
        pytest.raises(NoSlotError),
        speaking(f"{remote}-2", tenant_id=COMPANY),
    ):
        raise AssertionError("two spoke at once")


def test_a_lane_is_free_again_however_its_call_ended(remote: str) -> None:
    for error in (
        RefusedByRemoteError("x", 403),
        ValueError("a fault of ours"),
        KeyboardInterrupt(),
    ):
        with pytest.raises(type(error)), speaking(remote, tenant_id=COMPANY):
            raise error
    with speaking(remote, tenant_id=COMPANY):
        pass


def test_a_worker_claims_one_effect_more_than_it_speaks_about() -> None:
    assert worker._concurrency("execution") == 2
