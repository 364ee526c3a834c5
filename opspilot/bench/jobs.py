"""A stage of an evaluation as a process of its own: its job goes in as a file, what it found comes back
as one beside it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import django

from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.processes import run_to_end
from opspilot.bootstrap.tools import interpreter

Stages = Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]


def done(
    it: Instance, module: str, stage: str, job: Mapping[str, Any], env: Mapping[str, str]
) -> dict[str, Any]:
    """What the stage of `module`, whose main is `run`, found. Raises BootstrapError."""
    place = it.data.root / "evaluation.json"
    place.write_text(json.dumps(job), encoding="utf-8")
    line = [interpreter(), "-m", module, stage, str(place)]
    run_to_end(f"evaluation-{stage}", it.data, line, env)
    found: dict[str, Any] = json.loads(_beside(place, stage).read_text(encoding="utf-8"))
    return found


def run(stages: Stages) -> None:
    """The other side, by its command line: STAGE JOB. What a stage imports needs Django to be set up
    first, so it imports it when it is called."""
    django.setup()
    stage, place = sys.argv[1:]
    job: dict[str, Any] = json.loads(Path(place).read_text(encoding="utf-8"))
    found = stages[stage](job)
    _beside(Path(place), stage).write_text(json.dumps(found), encoding="utf-8")


def _beside(place: Path, stage: str) -> Path:
    return place.with_suffix(f".{stage}")
