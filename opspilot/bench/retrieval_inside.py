"""The half of `eval_retrieval` that runs as the application itself, in the throw-away instance.

Not a management command: it publishes and asks as nobody, which no company should meet by a slip.
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


def _publish(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.bench import retrieval_publishing

    return retrieval_publishing.publish(job)


def _ask(job: dict[str, Any]) -> dict[str, Any]:
    from opspilot.bench import retrieval_asking

    return retrieval_asking.ask(job)


STAGES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"publish": _publish, "ask": _ask}

if __name__ == "__main__":
    main(sys.argv[1:])
