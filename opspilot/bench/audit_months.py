"""How long writers wait while a month comes and another goes, and a report keeps a transaction open."""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import psycopg
from django.db import connections

from audit.months import calendar, catalogue, expiring, retention
from audit.months.creating import call
from opspilot.bench import audit_cast, audit_load
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope

ROUNDS = 5
HELD = 3.0  # seconds that a report keeps its transaction open
QUIET = 4.0  # seconds at least
_STEPS = ("SELECT detach_trail_month", "SELECT drop_trail_month")
_REPORT = "SELECT count(*) FROM agente_acao"


@dataclass
class Round:
    drop_ms: float = 0.0  # of the detach and the drop that went through, tries before them apart
    tries: int = 0
    busy: float = 0.0
    quiet: float = 0.0
    seconds: float = 0.0  # of the whole expiry, archive included
    reports: list[threading.Thread] = field(default_factory=list)


def measure() -> dict[str, Any]:
    rounds = [_round() for _number in range(ROUNDS)]
    return {
        "drop_month_ms": statistics.median(one.drop_ms for one in rounds),
        "drop_tries": [one.tries for one in rounds],
        "expire_month_s": statistics.median(one.seconds for one in rounds),
        "insert_stall_ms": statistics.median(one.busy for one in rounds),
        "insert_quiet_ms": statistics.median(one.quiet for one in rounds),
        "insert_stalls_ms": [one.busy for one in rounds],
        "insert_quiets_ms": [one.quiet for one in rounds],
    }


def _round() -> Round:
    """The quiet stretch is as long as the busy one: the longest wait of more rows is longer."""
    found = Round()
    _rule_for_the_oldest()
    with audit_load.under_load(audit_cast.company()) as load:
        time.sleep(0.5)
        begun = time.monotonic()
        _expire(found)
        ended = time.monotonic()
        for report in found.reports:
            report.join()
        rested = time.monotonic()
        time.sleep(max(QUIET, ended - begun))
        over = time.monotonic()
    found.seconds = ended - begun
    found.busy = audit_load.longest(load.samples, begun, ended)
    found.quiet = audit_load.longest(load.samples, rested, over)
    return found


def _rule_for_the_oldest() -> None:
    """A retention of so many months that the oldest one is just past it."""
    oldest, now = catalogue.months_of()[0], calendar.first_of(clock.now())
    months = (now.year - oldest.year) * 12 + now.month - oldest.month - 1
    first, second = (audit_cast.person(f"bench-admin-{number}") for number in (1, 2))
    with tenant_scope(audit_cast.company()):
        rule = retention.propose(
            admin=first, months=months, basis="medida da trilha", reason="medida da trilha"
        )
        retention.activate(rule=rule, admin=second)


def _expire(found: Round) -> None:
    with connections["maintenance"].execute_wrapper(_watching(found)):
        outcomes = expiring.expire(author="medida")
    if [one.gone for one in outcomes] != [True]:
        raise AssertionError(f"one month should have gone: {outcomes}")


def _watching(found: Round) -> Callable[..., Any]:
    """Before the first try to detach, a report begins and a month is made."""

    def wrapper(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if not sql.startswith(_STEPS):
            return execute(sql, params, many, context)
        if not found.reports:
            found.reports.append(_report())
            _next_month()
        found.tries += 1
        started = time.perf_counter()
        done = execute(sql, params, many, context)
        found.drop_ms += (time.perf_counter() - started) * 1000
        return done

    return wrapper


def _next_month() -> None:
    newest = catalogue.months_of()[-1]
    call("SELECT create_trail_month(%s)", calendar.moved(newest, 1), using="maintenance")


def _report() -> threading.Thread:
    """Has read every month when this returns, and keeps its transaction for HELD."""
    has_read = threading.Event()
    thread = threading.Thread(target=_read, args=[has_read])
    thread.start()
    has_read.wait()
    return thread


def _read(has_read: threading.Event) -> None:
    with closing(psycopg.connect(os.environ["DATABASE_URL_READER"])) as reader:
        tenant = str(audit_cast.company())
        reader.execute("SELECT set_config('opspilot.tenant_id', %s, true)", [tenant])
        reader.execute(_REPORT)
        has_read.set()
        time.sleep(HELD)
