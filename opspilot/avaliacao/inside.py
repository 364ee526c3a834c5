"""The half of `eval_agent` that runs as the application itself, in the throw-away instance.

Not a management command: it founds companies, approves in a person's name and, in its control, does
what a document says, which nobody should do to a company by a slip.
"""

from __future__ import annotations

from typing import Any

from opspilot.bench import jobs


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


STAGES: jobs.Stages = {
    "prepare": _prepare,
    "attack": _attack,
    "settled": _settled,
    "benign": _benign,
    "cases": _cases,
    "control": _control,
}

if __name__ == "__main__":
    jobs.run(STAGES)
