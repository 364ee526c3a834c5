"""The whole evaluation, from outside: an instance of its own, in a network of its own, stage by stage."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from opspilot.avaliacao import documents, own_network
from opspilot.bench import jobs
from opspilot.bench.alone import database_alone
from opspilot.bench.audit_superuser import URL
from opspilot.bench.stages import Say
from opspilot.bootstrap import postgres
from opspilot.bootstrap.datadir import PROJECT
from opspilot.bootstrap.instance import Instance

SETTLING = 8.0  # seconds of the product's worker after the attack: what was planted would come up
MOST_FOREIGN = 24  # of another corpus' sentences


@dataclass(frozen=True, slots=True)
class Job:
    """What every stage is told. `share`: of the benign tasks; `foreign`: sentences of another
    corpus."""

    topics: int = documents.TOPICS
    share: float = 1.0
    foreign: list[str] = field(default_factory=list)


SAMPLE = Job(topics=documents.SAMPLE, share=0.2)


def evaluate(job: Job, say: Say) -> dict[str, Any]:
    """In this process, which leaves the machine's network for good."""
    alone = own_network.enter()
    say("  a network of its own" if alone else "  NO network of its own: packets cannot be counted")
    with _instance() as it:
        found = _stages(it, asdict(job), say, alone=alone)
    return found | {"load": [round(value, 1) for value in os.getloadavg()]}


def _stages(it: Instance, job: dict[str, Any], say: Say, *, alone: bool) -> dict[str, Any]:
    counter = Counter(alone=alone)
    found = _stage(it, "prepare", job, say, counter)
    found |= _stage(it, "attack", job, say, counter)
    it.start_child("worker")
    time.sleep(SETTLING)
    found |= _stage(it, "settled", job | {"before": found.pop("before")}, say, counter)
    found |= _stage(it, "benign", job, say, counter)
    it.children["worker"].stop()
    found["control_cases"] = _stage(it, "cases", job, say, counter)
    found["foreign_packets"] = counter.total
    found |= _stage(it, "control", job, say, counter)
    packets = counter.by_stage
    return found | {"control_packets": packets.get("control"), "packets_by_stage": packets}


class Counter:
    """Foreign packets, stage by stage; none where they cannot be counted."""

    def __init__(self, *, alone: bool) -> None:
        self._alone, self._last = alone, own_network.foreign_packets() if alone else 0
        self.by_stage: dict[str, int] = {}

    @property
    def total(self) -> int | None:
        return sum(self.by_stage.values()) if self._alone else None

    def mark(self, stage: str) -> None:
        if self._alone:
            now = own_network.foreign_packets()
            self.by_stage[stage], self._last = now - self._last, now


def _stage(
    it: Instance, stage: str, job: dict[str, Any], say: Say, counter: Counter
) -> dict[str, Any]:
    assert it.server is not None
    started = time.monotonic()
    env = it.env_for("app", "reader") | {URL: postgres.admin_dsn(it.server)}
    found = jobs.done(it, "opspilot.avaliacao.inside", stage, job, env)
    counter.mark(stage)
    say(f"  {stage:<10} {time.monotonic() - started:>6.1f} s")
    return found


@contextmanager
def _instance() -> Iterator[Instance]:
    """The database, and the two remotes as processes of their own; no page is asked for."""
    with database_alone("eval", on_disk=False) as it:
        try:
            it.start_child("sandbox")
            it.start_child("semaphore")
            yield it
        finally:
            it.stop_children()


def foreign_texts(directory: Path | None) -> list[str]:
    """Sentences of another corpus: JSON files, each of lists of sentences by category."""
    place = directory or PROJECT.parent / "shared" / "data" / "injection-bipia"
    if not place.is_dir():
        return []
    found: list[str] = []
    for file in sorted(place.glob("*_attack_*.json")):
        listed = json.loads(file.read_text(encoding="utf-8"))
        found += [str(text) for texts in listed.values() for text in texts]
    return found[:: max(1, len(found) // MOST_FOREIGN)][:MOST_FOREIGN]
