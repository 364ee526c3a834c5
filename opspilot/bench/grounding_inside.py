"""The half of `bench grounding` that runs as the application itself, in the throw-away instance.

Not a management command: it fills tables and moves a company's vectors, which nobody should do to a
company by a slip.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django


def main(arguments: list[str]) -> None:
    """STAGE ARGUMENTS; ends with one JSON object. What is imported in the functions needs Django to
    be set up first."""
    django.setup()
    stage, *rest = arguments
    sys.stdout.write(json.dumps(STAGES[stage](*rest)) + "\n")


def _fill(chunks: str, tenants: str) -> dict[str, Any]:
    from opspilot.bench import grounding_fill
    from opspilot.bench.audit_superuser import superuser

    with superuser() as admin:
        return {"passages": grounding_fill.fill(admin, chunks=int(chunks), tenants=int(tenants))}


def _legs(company: str, chunks: str, rounds: str, client: str) -> dict[str, Any]:
    from opspilot.bench import grounding_asking

    return grounding_asking.legs_and_consult(
        number=int(company), chunks=int(chunks), rounds=int(rounds), client=int(client)
    )


def _near(chunks: str) -> dict[str, Any]:
    from opspilot.bench import grounding_asking

    return grounding_asking.near(chunks=int(chunks))


def _ingest(documents: str, files: str) -> dict[str, Any]:
    from opspilot.bench import grounding_ingesting

    return grounding_ingesting.measure(Path(documents), files=int(files))


STAGES: dict[str, Callable[..., dict[str, Any]]] = {
    "fill": _fill,
    "legs": _legs,
    "near": _near,
    "ingest": _ingest,
}

if __name__ == "__main__":
    main(sys.argv[1:])
