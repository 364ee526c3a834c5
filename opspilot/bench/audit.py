"""The trail with a million rows over two years: writing, reading, exporting, sealing, letting go."""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from audit.months.calendar import first_of, months, moved, start_of
from opspilot.bench import audit_peers, stages
from opspilot.bench.audit_superuser import URL, Connection, superuser
from opspilot.bench.stages import Say
from opspilot.bootstrap import postgres
from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.tools import interpreter

BACK = 24  # months before this one
BATCH = 200_000  # rows of one statement of the filling
LEAST_ROWS = 20_000
LARGE, MIDDLE, SMALL = 200_000, 20_000, 400  # rows of the entities, as far as there are so many
MOST = {
    "record_vs_raw_insert": 1.5,
    "record_vs_raw_insert_no_fsync": 1.5,
    "batch_vs_copy": 3.0,
    "entity_query_vs_raw_sql": 2.0,
    "entity_page_p95_ms": 40.0,
    "growth_buffers_10x": 1.3,
    "export_growth_mb": 50.0,
    "insert_stall_over_quiet_ms": 50.0,
    "plan_flips": 2.0,
}
LEAST = {"verify_rows_s": 10_000.0}
TOLD = (*MOST, *LEAST, "export_rows_s", "drop_month_ms", "insert_stall_ms", "insert_quiet_ms")


@dataclass
class Found:
    rows: int
    requests: int
    with_peers: bool = False
    figures: dict[str, Any] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # stages that could not be measured, and why


def measure(running: Instance, found: Found, say: Say) -> None:
    cast = _inside(running, "prepare")
    assert running.server is not None
    with superuser(postgres.admin_dsn(running.server)) as admin:
        _make_months(admin)
        fill(admin, cast, found.rows, tenth=True, say=say)
        before = _stage(running, found, say, "touched")
        fill(admin, cast, found.rows, tenth=False, say=say)
        after = _stage(running, found, say, "touched")
        if before and after:
            found.figures |= growth(before, after)
        for stage, *arguments in (("reading", str(found.requests)), ("flips",), ("export",)):
            found.figures |= _stage(running, found, say, stage, *arguments)
        found.figures |= _stage(running, found, say, "writing")
        found.figures |= _without_fsync(running, admin, found, say)
    for stage in ("sealing", "months"):
        found.figures |= _stage(running, found, say, stage)
    if found.with_peers:
        say("  peers")
        with stages.faults_kept("peers", found.missing, say):
            found.figures["peers"] = audit_peers.measure(running)


def fill(admin: Connection, cast: dict[str, Any], rows: int, *, tenth: bool, say: Say) -> None:
    """One row in ten with all of the small entity, or the others; then what autovacuum does."""
    say(f"  filling {rows // 10 if tenth else rows - rows // 10:,} rows over {BACK} months")
    sql = (Path(__file__).parent / "fill" / "trail.sql").read_text(encoding="utf-8")
    first = start_of(_first_month())
    values = cast | strides(rows) | {
        "rows": rows, "tenth": tenth, "first": first,
        "days": (dt.datetime.now(dt.UTC) - first).days,
    }  # fmt: skip
    for start in range(1, rows + 1, BATCH):
        upto = min(start + BATCH - 1, rows)
        admin.execute(sql.encode(), values | {"from": start, "upto": upto})
    admin.execute("VACUUM (ANALYZE) agente_acao")


def strides(rows: int) -> dict[str, int]:
    """Each entity has every so-many-th row."""
    return {
        "large_every": max(2, rows // LARGE),
        "middle_every": max(5, rows // MIDDLE),
        "small_every": max(10, rows // SMALL),
    }


def growth(before: dict[str, int], after: dict[str, int]) -> dict[str, Any]:
    return {
        "growth_buffers_10x": max(after[name] / before[name] for name in before),
        "buffers": {name: [before[name], after[name]] for name in before},
    }


def as_json(found: Found) -> dict[str, Any]:
    figures = rounded(found.figures)
    if {"insert_stall_ms", "insert_quiet_ms"} <= figures.keys():
        over = figures["insert_stall_ms"] - figures["insert_quiet_ms"]
        figures["insert_stall_over_quiet_ms"] = round(over, 1)
    told = {name: figures.get(name) for name in TOLD}
    missed = stages.missed(told, most=MOST, least=LEAST)
    return {
        "ok": bool(found.figures) and not found.missing,
        "within_limits": not missed,
        "missed": missed,
        "not_measured": found.missing,
        "limits": MOST | LEAST,
        "rows": found.rows,
        "requests": found.requests,
        "load": [round(value, 1) for value in os.getloadavg()],
        **told,
        **{name: value for name, value in figures.items() if name not in told},
    }


def rounded(value: Any) -> Any:
    """Three digits are more than a machine tells twice."""
    match value:
        case float():
            return round(value, 3 if abs(value) < 10 else 1 if abs(value) < 1000 else None)
        case dict():
            return {name: rounded(one) for name, one in value.items()}
        case list():
            return [rounded(one) for one in value]
    return value


def _stage(running: Instance, found: Found, say: Say, *arguments: str) -> dict[str, Any]:
    say(f"  {' '.join(arguments)}")
    figures: dict[str, Any] = {}
    with stages.faults_kept(arguments[0], found.missing, say):
        figures = _inside(running, *arguments)
    for name, value in rounded(figures).items():
        say(f"    {name:<28} {value}")
    return figures


def _without_fsync(running: Instance, admin: Connection, found: Found, say: Say) -> dict[str, Any]:
    """The writing again where the disk is not waited for: what is left is the code's own share."""
    admin.execute("ALTER SYSTEM SET fsync = off")
    admin.execute("SELECT pg_reload_conf()")
    try:
        figures = _stage(running, found, say, "writing")
    finally:
        admin.execute("ALTER SYSTEM RESET fsync")
        admin.execute("SELECT pg_reload_conf()")
    return {f"{name}_no_fsync": value for name, value in figures.items()}


def _make_months(admin: Connection) -> None:
    for month in months(_first_month(), first_of(dt.datetime.now(dt.UTC))):
        admin.execute("SELECT create_trail_month(%s)", [month])


def _first_month() -> dt.date:
    return moved(first_of(dt.datetime.now(dt.UTC)), -BACK)


def _inside(running: Instance, *arguments: str) -> dict[str, Any]:
    assert running.server is not None
    line = [interpreter(), "-m", "opspilot.bench.audit_inside", *arguments]
    env = running.env_for("app", "reader", "maintenance")
    env |= {URL: postgres.admin_dsn(running.server)}
    return stages.told(running, line, env)
