"""`manage.py worker`: one process, one lane per kind of work, so a long upload delays no answer."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

import structlog
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connections
from procrastinate.contrib.django import app
from procrastinate.jobs import Status

from approvals.execution.speaking import AHEAD
from audit import partitions
from audit.months import expiring
from opspilot import telemetry
from opspilot.tenancy.guard import refuse_unsafe_role
from opspilot.worker import watch
from opspilot.worker.tasks import KINDS, wake_if_due

log = structlog.get_logger(__name__)
GRACE = 20.0  # seconds a running job gets to finish at a stop
DAY = 24 * 60 * 60.0
RETRY = 10 * 60.0
QUEUES = (*KINDS, "sweep")
BESIDE = 3  # threads for what stands beside the lanes: the holds, the months, the watch


class Command(BaseCommand):
    help = "Run the worker: uploads, runs, executions, expiries, the sweep and the trail's months."

    def handle(self, *args: Any, **options: Any) -> None:
        telemetry.configure()
        refuse_unsafe_role()
        asyncio.run(_run())


async def _run() -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_threads()))
    worker_app = app.with_connector(app.connector.get_worker_connector())  # type: ignore[attr-defined]
    async with worker_app.open_async():
        await _forget_the_dead(worker_app)
        lanes = _lanes(worker_app)
        asked = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, _stop, asked, lanes)
        log.info("worker ready", lanes=len(lanes))
        ended, _ = await asyncio.wait(lanes, return_when=asyncio.FIRST_COMPLETED)
        _say_why(ended)
        if not asked.is_set():
            _leave_at_once()
        _stop_all(lanes)
        await asyncio.gather(*lanes, return_exceptions=True)


def _leave_at_once() -> NoReturn:
    """A lane dies with its database connection. Half a worker would look alive and do nothing, and a
    job in a thread could hold an orderly exit back for minutes: whoever started us starts us again,
    and leases bring back what was in hand."""
    os._exit(1)


def _lanes(worker_app: Any) -> list[asyncio.Task[None]]:
    lanes = [asyncio.create_task(_lane(worker_app, queue), name=queue) for queue in QUEUES]
    lanes.append(asyncio.create_task(watch.until_silent(), name="watch"))
    lanes.append(asyncio.create_task(_holds(), name="holds"))
    if "maintenance" in connections.settings:
        lanes.append(asyncio.create_task(_months(), name="months"))
    else:
        log.warning("no DATABASE_URL_MAINTENANCE: somebody else makes the trail's months")
    return lanes


def _say_why(ended: Iterable[asyncio.Task[None]]) -> None:
    for lane in ended:
        if not lane.cancelled():
            log.error("a lane ended", lane=lane.get_name(), exc_info=lane.exception())


def _stop(asked: asyncio.Event, lanes: list[asyncio.Task[None]]) -> None:
    asked.set()
    _stop_all(lanes)


def _stop_all(lanes: list[asyncio.Task[None]]) -> None:
    for lane in lanes:
        lane.cancel()


async def _lane(worker_app: Any, queue: str) -> None:
    await worker_app.run_worker_async(
        queues=[queue],
        name=queue,
        concurrency=_concurrency(queue),
        install_signal_handlers=False,
        delete_jobs="always",
        shutdown_graceful_timeout=GRACE,
    )


def _concurrency(queue: str) -> int:
    """One large upload must not make every other one wait, nor one slow remote."""
    effects = settings.OPSPILOT_EXECUTION_LANES + AHEAD
    return {"upload": 2, "execution": effects}.get(queue, 1)


def _threads() -> int:
    """One for each row that can be in hand. Python's own number, the cores and four, would let a few
    slow remotes keep every other lane waiting."""
    return sum(_concurrency(queue) for queue in QUEUES) + BESIDE


async def _holds() -> None:
    """A hold ends at a moment that nothing announces, and a person counts the seconds: looked at
    every second, and not with the sweep."""
    while True:
        await asyncio.sleep(1.0)
        await asyncio.to_thread(wake_if_due, "execution")


async def _forget_the_dead(worker_app: Any) -> None:
    """Wakes that a killed worker had taken: the rows they pointed at are due again by lease."""
    for job in await worker_app.job_manager.get_stalled_jobs():
        await worker_app.job_manager.finish_job_by_id_async(
            job_id=job.id, status=Status.FAILED, delete_job=True
        )


async def _months() -> None:
    """The trail's next months and the end of old ones, at start and once a day."""
    while True:
        await asyncio.sleep(await asyncio.to_thread(_create_months))


def _create_months() -> float:
    """Make what is missing; the seconds until the next look. No connection idles in between: it
    would be dead after a day, and the next look would use it again."""
    try:
        partitions.create()
        if settings.OPSPILOT_ARCHIVE_DIR:
            _let_months_go()
    except DatabaseError:
        log.exception("the trail's months could not be created")
        return RETRY
    finally:
        connections["maintenance"].close()
    return DAY


def _let_months_go() -> None:
    """Those whose time is over for every company, by rules that two admins of each put in force."""
    try:
        expiring.expire()
    finally:
        connections["default"].close()
