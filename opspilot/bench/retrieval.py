"""Retrieval measured with labelled questions on an instance of its own."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from typing import Any

import psycopg

from opspilot.bench import jobs
from opspilot.bench.alone import database_alone
from opspilot.bench.stages import Say
from opspilot.bootstrap import postgres
from opspilot.bootstrap.instance import Instance

OF_THE_ENDPOINT = (
    "OPSPILOT_EMBEDDER",
    "OPSPILOT_EMBEDDINGS_URL",
    "OPSPILOT_EMBEDDINGS_KEY",
    "OPSPILOT_EMBEDDINGS_MODEL",
    "OPSPILOT_EGRESS_HTTP",
    "OPSPILOT_EGRESS_PRIVATE",
)


@dataclass(frozen=True, slots=True)
class Job:
    """What both halves are told. With `judge` off a run file is written and no label is read."""

    data: str
    documents: str = ""
    cache: str = ""
    run_out: str = ""
    signals: str = ""
    depth: int = 20
    judge: bool = True
    published: dict[str, Any] = field(default_factory=dict)


def evaluate(job: Job, say: Say) -> dict[str, Any]:
    with database_alone() as it:
        say("  publishing the documents")
        published = _inside(it, "publish", job)
        say(f"  {published['documents']} documents, {published['documents_s']} a second")
        _analyse(it)
        say("  asking the questions")
        found = _inside(it, "ask", Job(**{**asdict(job), "published": published}))
    told = {name: value for name, value in published.items() if name not in ("tenant", "names")}
    return found | told


def _inside(it: Instance, stage: str, job: Job) -> dict[str, Any]:
    given = {name: os.environ[name] for name in OF_THE_ENDPOINT if name in os.environ}
    env = it.env_for("app", "reader") | given
    return jobs.done(it, "opspilot.bench.retrieval_inside", stage, asdict(job), env)


def _analyse(it: Instance) -> None:
    """What autovacuum does within the hour: plans made without it are not production's."""
    assert it.server is not None
    with psycopg.connect(postgres.admin_dsn(it.server), autocommit=True) as admin:
        admin.execute("VACUUM (ANALYZE)")
