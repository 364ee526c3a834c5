"""The half of `bench approvals` that runs as the application itself, in the throw-away instance.

Not a management command: it fills and decides, which nobody should do to a company by a slip.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import django

CONNECTIONS = (1, 8)
RACERS = 40  # connections of the race: 200 decisions are under way, so many of them at the server


def main(arguments: list[str]) -> None:
    """fill SLUG WAITING DECIDED | measure SLUG USERNAME PATH…; ends with one JSON object. What is
    imported in the functions needs Django to be set up first."""
    django.setup()
    stage, rest = arguments[0], arguments[1:]
    found = _fill(rest) if stage == "fill" else _measure(rest)
    sys.stdout.write(json.dumps(found) + "\n")


def _fill(arguments: list[str]) -> dict[str, Any]:
    from opspilot.bench import approvals_fill

    slug, waiting, decided = arguments
    tenant_id = approvals_fill.company(slug)
    models = approvals_fill.models(tenant_id)
    approvals_fill.fill(
        tenant_id=tenant_id, models=models, waiting=int(waiting), decided=int(decided)
    )
    return {"filled": slug}


def _measure(arguments: list[str]) -> dict[str, Any]:
    from opspilot.bench import approvals_decisions, approvals_queries
    from opspilot.tenancy.models import tenant_id_of

    slug, username, *paths = arguments
    tenant_id = tenant_id_of(slug)
    queries = {path: approvals_queries.queries_of(username, path) for path in paths}
    rates = [approvals_decisions.rates(tenant_id=tenant_id, threads=n) for n in CONNECTIONS]
    race = approvals_decisions.race(tenant_id=tenant_id, threads=RACERS)
    return {
        "queries": queries,
        "rates": [asdict(found) | {"ratio": found.ratio} for found in rates],
        "race": asdict(race),
    }


if __name__ == "__main__":
    main(sys.argv[1:])
