"""The queue with many thousand proposals waiting: its pages, and deciding, on an instance of its own."""

from __future__ import annotations

import os
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from opspilot.bench import stages
from opspilot.bench.stages import Say
from opspilot.bootstrap import postgres
from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.tools import interpreter
from opspilot.smoke.cast import TENANT, Cast
from opspilot.smoke.expectation import expect
from opspilot.smoke.people import Person

WARM = 5  # requests of each page before the measured ones
LIMITS = {
    "list_p95_ms": 100.0,
    "detail_p95_ms": 60.0,
    "queries_per_page": 12.0,
    "list_vs_empty": 4.0,
    "double_decisions": 0.0,
    "lost_decisions": 0.0,
}
LEAST = 0.5  # of what bare transactions reach
NEIGHBOURS = ("vizinha-um", "vizinha-dois")  # other companies in the same tables, a tenth each
LISTS = {
    "list": "/aprovacoes/",
    "narrowed": "/aprovacoes/?risco=alto&alvo=pagamentos",
    "by risk": "/aprovacoes/?ordem=risco",
    "all": "/aprovacoes/?fila=todas",
    "decided": "/aprovacoes/?fila=decididas",
}
EMPTY = "empty list"  # of a company with no proposal


@dataclass
class Found:
    pending: int
    requests: int
    seconds: dict[str, list[float]] = field(default_factory=dict)
    inside: dict[str, Any] = field(default_factory=dict)


def fill(running: Instance, pending: int, say: Say) -> None:
    """The worker is stopped first: it would tell everybody about every proposal meanwhile."""
    running.children["worker"].stop()
    for slug, share in ((TENANT, 1), *((name, 10) for name in NEIGHBOURS)):
        waiting, decided = pending // share, pending * 3 // 10 // share
        say(f"  filling {slug}: {waiting:,} waiting, {decided:,} decided")
        _inside(running, "fill", slug, str(waiting), str(decided))
    assert running.server is not None
    sql = (Path(__file__).parent / "fill" / "aged.sql").read_text(encoding="utf-8")
    with psycopg.connect(postgres.admin_dsn(running.server)) as admin:
        admin.execute(sql.encode())
    # What autovacuum does within the hour.
    with psycopg.connect(postgres.admin_dsn(running.server), autocommit=True) as admin:
        admin.execute("VACUUM (ANALYZE)")


def measure(running: Instance, cast: Cast, found: Found, say: Say) -> None:
    details = dict(zip(("detail", "detail deep"), _details(running, found.pending), strict=True))
    pages = {name: (cast.aprovador, path) for name, path in (LISTS | details).items()}
    pages[EMPTY] = (cast.stranger, LISTS["list"])
    found.seconds |= _timed(pages, found.requests)
    for name in pages:
        say(f"  {name:<12} p50 {_ms(found, name, 0.5):>7.1f} ms  p95 {_ms(found, name):>7.1f} ms")
    paths = [path for person, path in pages.values() if person is cast.aprovador]
    username = cast.aprovador.username
    found.inside |= _inside(running, "measure", TENANT, username, *paths)
    _say_inside(found, say)


def as_json(found: Found) -> dict[str, Any]:
    if not found.inside:
        return {"ok": False, "pending": found.pending}
    rates, race = found.inside["rates"], found.inside["race"]
    figures: dict[str, Any] = {
        "list_p95_ms": round(max(_ms(found, name) for name in LISTS), 1),
        "detail_p95_ms": round(max(_ms(found, name) for name in ("detail", "detail deep")), 1),
        "queries_per_page": max(found.inside["queries"].values()),
        "list_vs_empty": round(_ms(found, "list", 0.5) / _ms(found, EMPTY, 0.5), 2),
        "decisions_vs_bare": {str(r["connections"]): round(r["ratio"], 2) for r in rates},
        "double_decisions": race["double"],
        "lost_decisions": race["lost"] + race["other"],
    }
    within = all(figures[name] <= limit for name, limit in LIMITS.items())
    return {
        "ok": True,
        "within_limits": within and min(r["ratio"] for r in rates) >= LEAST,
        "limits": LIMITS | {"decisions_vs_bare": LEAST},
        "pending": found.pending,
        "requests": found.requests,
        "load": [round(value, 1) for value in os.getloadavg()],
        **figures,
        "p95_ms": {name: round(_ms(found, name), 1) for name in found.seconds},
        "queries": found.inside["queries"],
        "decisions_per_second": {
            str(r["connections"]): {"service": round(r["service"]), "bare": round(r["bare"])}
            for r in rates
        },
        "race": race,
    }


def _timed(pages: dict[str, tuple[Person, str]], requests: int) -> dict[str, list[float]]:
    """The pages take turns, so that whatever else the machine does, it does to all of them."""
    for person, path in pages.values():
        for _warming in range(WARM):
            person.fetch(path)
    seconds: dict[str, list[float]] = {name: [] for name in pages}
    for _turn in range(requests):
        for name, (person, path) in pages.items():
            answer = person.fetch(path)
            expect(answer.status == 200, f"{name} was answered {answer.status}")
            seconds[name].append(answer.seconds)
    return seconds


def _ms(found: Found, name: str, share: float = 0.95) -> float:
    values = sorted(found.seconds[name])
    if share == 0.5:
        return statistics.median(values) * 1000
    return values[min(len(values) - 1, int(len(values) * share))] * 1000


def _details(running: Instance, pending: int) -> tuple[str, str]:
    """The third of the queue, and one beyond where counting ends."""
    assert running.server is not None
    query = (
        "SELECT ref FROM agente_aprovacao a JOIN tenant t ON t.id = a.tenant_id WHERE t.slug = %s "
        "AND estado = 'pendente' AND papel_exigido = 'aprovador' ORDER BY expira_em, urgencia, a.id "
        "OFFSET %s LIMIT 1"
    )
    refs = []
    with psycopg.connect(postgres.admin_dsn(running.server)) as admin:
        for place in (2, min(pending // 2, 20_000)):
            row = admin.execute(query, [TENANT, place]).fetchone()
            assert row is not None
            refs.append(f"/aprovacoes/{row[0]}/")
    return refs[0], refs[1]


def _inside(running: Instance, *arguments: str) -> dict[str, Any]:
    line = [interpreter(), "-m", "opspilot.bench.approvals_inside", *arguments]
    env = running.env_for("app", "reader")
    return stages.told(running, line, env)


def _say_inside(found: Found, say: Say) -> None:
    for path, count in found.inside["queries"].items():
        say(f"  {count:>3} queries  {path}")
    for rate in found.inside["rates"]:
        say(
            f"  {rate['connections']} connections: {rate['service']:.0f} decisions/s by the service,"
            f" {rate['bare']:.0f} bare, ratio {rate['ratio']:.2f}"
        )
    race = found.inside["race"]
    say(
        f"  {race['acts']} decisions at once: {race['terminal']} ended, {race['double']} double,"
        f" {race['lost']} lost, {race['other']} other"
    )
