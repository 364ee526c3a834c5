"""The worker says why a part of it ended, and outlives the trail's months."""

from __future__ import annotations

import asyncio

import pytest
from django.db import OperationalError
from procrastinate.contrib.django import app
from pytest_django import Settings
from structlog.testing import CapturingLogger

from audit import partitions
from opspilot.worker.management.commands import worker
from opspilot.worker.tasks import KINDS


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> CapturingLogger:
    logger = CapturingLogger()
    monkeypatch.setattr(worker, "log", logger)
    return logger


class Connection:
    """What the months need of the maintenance connection."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


class Connections:
    """Django's connections, of which this many aliases are configured."""

    def __init__(self, *aliases: str) -> None:
        self.settings = dict.fromkeys(aliases)
        self.maintenance = Connection()

    def __getitem__(self, alias: str) -> Connection:
        assert alias == "maintenance"
        return self.maintenance


@pytest.fixture
def maintenance(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Connection:
    settings.OPSPILOT_ARCHIVE_DIR = ""
    ours = Connections("default", "maintenance")
    monkeypatch.setattr(worker, "connections", ours)
    return ours.maintenance


def create(monkeypatch: pytest.MonkeyPatch, error: Exception | None = None) -> None:
    def made() -> list[str]:
        if error is not None:
            raise error
        return []

    monkeypatch.setattr(partitions, "create", made)


async def lanes_by_name() -> set[str]:
    lanes = worker._lanes(None)
    worker._stop_all(lanes)
    await asyncio.gather(*lanes, return_exceptions=True)
    return {lane.get_name() for lane in lanes}


def test_the_months_are_looked_at_once_a_day_on_a_connection_that_is_closed(
    maintenance: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(monkeypatch)
    assert worker._create_months() == worker.DAY
    assert maintenance.closed == 1


def test_months_go_only_where_their_archives_have_a_place(
    maintenance: Connection, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    create(monkeypatch)
    gone: list[str] = []
    monkeypatch.setattr(worker, "_let_months_go", lambda: gone.append("now"))
    settings.OPSPILOT_ARCHIVE_DIR = ""
    worker._create_months()
    assert gone == []
    settings.OPSPILOT_ARCHIVE_DIR = "archive"
    worker._create_months()
    assert gone == ["now"]


def test_months_that_could_not_be_made_are_tried_again_soon_on_another_connection(
    maintenance: Connection, monkeypatch: pytest.MonkeyPatch, log: CapturingLogger
) -> None:
    create(monkeypatch, OperationalError("the connection is closed"))
    assert worker._create_months() <= 60 * 60
    assert maintenance.closed == 1
    assert [call.method_name for call in log.calls] == ["exception"]


def test_without_a_maintenance_address_the_months_are_left_to_others(
    monkeypatch: pytest.MonkeyPatch, log: CapturingLogger
) -> None:
    monkeypatch.setattr(worker, "connections", Connections("default"))
    assert asyncio.run(lanes_by_name()) == {*KINDS, "sweep", "watch", "holds"}
    assert [call.method_name for call in log.calls] == ["warning"]


def test_with_a_maintenance_address_the_months_have_a_lane(
    maintenance: Connection, log: CapturingLogger
) -> None:
    assert asyncio.run(lanes_by_name()) == {*KINDS, "sweep", "watch", "holds", "months"}
    assert log.calls == []


def test_a_lane_that_ends_by_itself_says_why(log: CapturingLogger) -> None:
    fault = ZeroDivisionError()

    async def broken() -> None:
        raise fault

    async def ended() -> None:
        lane = asyncio.create_task(broken(), name="upload")
        await asyncio.wait([lane])
        worker._say_why([lane])

    asyncio.run(ended())
    (line,) = log.calls
    assert (line.method_name, line.kwargs) == ("error", {"lane": "upload", "exc_info": fault})


def test_a_lane_that_was_told_to_stop_is_no_fault(log: CapturingLogger) -> None:
    async def stopped() -> None:
        lane = asyncio.create_task(asyncio.sleep(60), name="run")
        lane.cancel()
        await asyncio.wait([lane])
        worker._say_why([lane])

    asyncio.run(stopped())
    assert log.calls == []


def test_every_lane_has_its_threads_though_all_the_others_wait_for_a_remote(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_once = sum(worker._concurrency(queue) for queue in (*KINDS, "sweep"))
    given = list[int]()

    async def run() -> None:
        with pytest.raises(asyncio.CancelledError):
            await worker._run()
        executor = asyncio.get_running_loop()._default_executor  # type: ignore[attr-defined]
        given.append(executor._max_workers)

    def no_queue() -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(app.connector, "get_worker_connector", no_queue)
    asyncio.run(run())
    assert given[0] > at_once
