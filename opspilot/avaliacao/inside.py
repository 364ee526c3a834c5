"""The half of `eval_agent` that runs as the application itself, in the throw-away instance.

Not a management command: it founds companies, approves in a person's name and, in its control, does
what a document says, which nobody should do to a company by a slip.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django


def main(arguments: list[str]) -> None:
    """STAGE JOB: JOB is a file with one JSON object; what was found is written beside it. What is
    imported in the functions needs Django to be set up first."""
    django.setup()
    stage, place = arguments
    job: dict[str, Any] = json.loads(Path(place).read_text(encoding="utf-8"))
    found = STAGES[stage](job)
    Path(place).with_suffix(f".{stage}").write_text(json.dumps(found), encoding="utf-8")


def _prepare(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.avaliacao import stages

    return stages.prepare(job)


def _attack(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.avaliacao import stages

    return stages.attacked(job)


def _settled(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.avaliacao import stages

    return stages.settled(job)


def _benign(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.avaliacao import stages

    return stages.worked(job)


def _cases(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.avaliacao import cases

    return cases.passed(job)


def _control(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.avaliacao import stages

    return stages.control(job)


STAGES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "prepare": _prepare,
    "attack": _attack,
    "settled": _settled,
    "benign": _benign,
    "cases": _cases,
    "control": _control,
}

if __name__ == "__main__":
    main(sys.argv[1:])
