"""Search at size: what a consult costs beside its two legs, what the approximate index finds, how fast
documents come in."""

from __future__ import annotations

import os
import statistics
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opspilot.bench import stages
from opspilot.bench.audit_superuser import URL
from opspilot.bench.stages import Say
from opspilot.bootstrap import postgres
from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.tools import interpreter

CLIENTS = 4
LEAST_CHUNKS = 1_000
MOST = {"hybrid_vs_legs_largest": 1.5, "hybrid_vs_legs_small": 1.5}
LEAST = {"recall_hnsw": 0.95, "ingest_vs_embedder": 0.8}
_COMPANIES = {"largest": 0, "small": 1}
_ROUNDS = {"largest": 15, "small": 150}


@dataclass
class Found:
    chunks: int
    tenants: int
    documents: Path
    files: int
    figures: dict[str, Any] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # what could not be measured, and why


def measure(running: Instance, found: Found, say: Say) -> None:
    _stage(running, found, say, "fill", str(found.chunks), str(found.tenants))
    for company in _COMPANIES:
        _legs(running, found, say, company)
    _stage(running, found, say, "near", str(found.chunks))
    if found.documents.is_dir():
        _stage(running, found, say, "ingest", str(found.documents), str(found.files))
    else:
        found.missing.append(f"ingest: {found.documents} is not here")
        say(f"    NOT MEASURED  {found.missing[-1]}")


def as_json(found: Found) -> dict[str, Any]:
    told = {name: found.figures.get(name) for name in (*MOST, *LEAST)}
    missed = stages.missed(told, most=MOST, least=LEAST)
    return {
        "ok": bool(found.figures) and not found.missing,
        "within_limits": not missed,
        "missed": missed,
        "not_measured": found.missing,
        "limits": MOST | LEAST,
        "chunks": found.chunks,
        "tenants": found.tenants,
        "clients": CLIENTS,
        "load": [round(value, 1) for value in os.getloadavg()],
        **told,
        **{name: value for name, value in found.figures.items() if name not in told},
    }


def _legs(running: Instance, found: Found, say: Say, company: str) -> None:
    """Four clients at once, each a process of its own; of each the median of both, in turns."""
    say(f"  legs and consult of the {company} company, {CLIENTS} clients")
    arguments = [str(_COMPANIES[company]), str(found.chunks), str(_ROUNDS[company])]
    with (
        stages.faults_kept(f"legs of the {company} company", found.missing, say),
        ThreadPoolExecutor(CLIENTS) as pool,
    ):
        told = list(
            pool.map(
                lambda n: _inside(running, f"bench-{n}", "legs", *arguments, str(n)),
                range(CLIENTS),
            )
        )
        figures = {
            f"hybrid_vs_legs_{company}": statistics.median(one["ratio"] for one in told),
            f"legs_ms_{company}": statistics.median(one["legs_ms"] for one in told),
            f"hybrid_ms_{company}": statistics.median(one["hybrid_ms"] for one in told),
        }
        _keep(found, say, figures)


def _stage(running: Instance, found: Found, say: Say, *arguments: str) -> None:
    say(f"  {arguments[0]}")
    with stages.faults_kept(arguments[0], found.missing, say):
        _keep(found, say, _inside(running, "bench", *arguments))


def _keep(found: Found, say: Say, figures: dict[str, Any]) -> None:
    for name, value in figures.items():
        found.figures[name] = round(value, 3) if isinstance(value, float) else value
        say(f"    {name:<28} {found.figures[name]}")


def _inside(running: Instance, name: str, *arguments: str) -> dict[str, Any]:
    assert running.server is not None
    line = [interpreter(), "-m", "opspilot.bench.grounding_inside", *arguments]
    env = running.env_for("app", "reader", "maintenance")
    env |= {URL: postgres.admin_dsn(running.server)}
    return stages.told(running, line, env, name=name)
