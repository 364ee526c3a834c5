"""Workers to be killed: processes of their own, forked from one in which Django is set up already.

python -m tests.crash.one_worker: an order a line on stdin; on stdout a line when its process has
begun and one when it has ended. Loading Django costs a second and a half, a fork some milliseconds.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import sys
import time
from uuid import UUID

import django

django.setup()

from django.db import connections  # noqa: E402 - Django has to be set up first
from django.db.models.functions import Now  # noqa: E402

from approvals.execution import advancing  # noqa: E402
from approvals.models import Execution  # noqa: E402
from opspilot.notices import delivery, telling  # noqa: E402
from opspilot.notices.models import Notice, NoticeState  # noqa: E402
from opspilot.tenancy.scope import tenant_scope  # noqa: E402
from tests.crash import deadly, orders  # noqa: E402
from tests.crash.orders import Order  # noqa: E402
from tests.crash.settled import is_settled  # noqa: E402

STDIN = 0
LONGEST = 120.0  # seconds after which a worker gives its execution up
PAUSE, GLANCE = 0.1, 0.02


def main() -> None:
    """Until stdin ends; then nothing that it has begun is left."""
    running: dict[int, tuple[int, int]] = {}  # of a process: its order's number, its pid
    waiting, heard = selectors.DefaultSelector(), b""
    waiting.register(STDIN, selectors.EVENT_READ)
    while True:
        for key, _ in waiting.select():
            if key.fd in running:
                waiting.unregister(key.fd)
                _say_end(key.fd, *running.pop(key.fd))
                continue
            if not (more := os.read(STDIN, 65_536)):
                for _number, pid in running.values():
                    os.kill(pid, signal.SIGKILL)
                return
            *lines, heard = (heard + more).split(b"\n")
            for line in lines:
                order = orders.read(line.decode())
                pid = _fork(order)
                descriptor = os.pidfd_open(pid)
                running[descriptor] = (order.number, pid)
                waiting.register(descriptor, selectors.EVENT_READ)
                _say(number=order.number, pid=pid)


def _fork(order: Order) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        work(order)
    except BaseException:  # noqa: BLE001 - shown, and the process ends with it
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def _say_end(descriptor: int, number: int, pid: int) -> None:
    os.close(descriptor)
    _, status = os.waitpid(pid, 0)
    _say(number=number, ended=os.waitstatus_to_exitcode(status))


def _say(**values: int) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def work(order: Order) -> None:
    """As a worker's lane does it, for one execution and until nothing of it is due any more."""
    deadly.arm(order)
    tenant_id, deadline = UUID(order.tenant), time.monotonic() + LONGEST
    while _lives(order.after) and not _is_held(tenant_id, order):
        time.sleep(GLANCE)
    while time.monotonic() < deadline and not _is_over(tenant_id, order.execution):
        advancing.advance(tenant_id=tenant_id, execution_id=order.execution)
        time.sleep(GLANCE if _lives(order.after) else PAUSE)
    while order.letters and _lives(order.after):  # it has the letters in hand
        time.sleep(GLANCE)
    while order.letters and time.monotonic() < deadline and _deliver(tenant_id, order.execution):
        time.sleep(PAUSE)
    connections.close_all()


def _is_held(tenant_id: UUID, order: Order) -> bool:
    with tenant_scope(tenant_id):
        row = Execution.objects.get(pk=order.execution)
    return (row.claim_token is not None and row.state == order.held) or is_settled(row)


def _is_over(tenant_id: UUID, execution: int) -> bool:
    with tenant_scope(tenant_id):
        return is_settled(Execution.objects.get(pk=execution))


def _deliver(tenant_id: UUID, execution: int) -> bool:
    """Whether there is more of it to come."""
    with tenant_scope(tenant_id):
        approval = Execution.objects.get(pk=execution).approval_id
    telling.spread_due(tenant_id=tenant_id, approval_id=approval)
    with tenant_scope(tenant_id):
        waiting = Notice.objects.filter(approval=approval, state=NoticeState.PENDENTE)
        due = list(waiting.filter(next_at__lte=Now()).values_list("pk", flat=True))
        left = waiting.exists()
    for notice in due:
        delivery.advance(tenant_id=tenant_id, notice_id=notice)
    return left


def _lives(pid: int) -> bool:
    if not pid:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main()
