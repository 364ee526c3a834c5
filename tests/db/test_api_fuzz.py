"""Made-up requests from the description itself: no fault, and nothing undescribed. A few hundred in
each run; twenty thousand through every phase of the generator by `poe fuzz`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as plan
from hypothesis import strategies as st
from pytest_django import Settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from approvals.models import Decision
from opspilot.api.description import schema as description
from opspilot.api.waiting import Places
from opspilot.tenancy.scope import tenant_scope
from tests.agents import AtTheDoor, at_the_door, body
from tests.db.live_door import open_door

pytestmark = pytest.mark.usefixtures("committed")
EXAMPLES = 60  # of each operation
PLAN = [
    *("--phases", "examples,coverage,fuzzing,stateful"),
    *("--max-examples", os.environ.get("FUZZ_EXAMPLES", "2000")),
    *("--seed", "1"),
    "--no-shrink",
    "--continue-on-failure",
    *("--suppress-health-check", "all"),
    *("--warnings", "off"),
    "--checks",
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_schema_conformance,ignored_auth",
]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def operations() -> list[str]:
    return [
        f"{method.upper()} {address}"
        for address, methods in description()["paths"].items()
        for method in methods
    ]


@pytest.mark.parametrize("name", operations())
def test_made_up_requests_get_described_answers(name: str, settings: Settings) -> None:
    settings.OPSPILOT_AGENT_REQUESTS_PER_MINUTE = 100_000
    door = at_the_door()
    ref = door.post("aprovacoes", body()).data["ref"]
    statuses = run(name, door, ref)
    assert sum(statuses.values()) >= EXAMPLES
    assert not [status for status in statuses if status >= 500]
    with tenant_scope(door.tenant.pk):
        decided = Decision.objects.exclude(verdict="cancelar")
        assert not decided.exists()


@pytest.mark.machine
def test_twenty_thousand_requests_of_every_phase(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.OPSPILOT_AGENT_REQUESTS_PER_MINUTE = 1_000_000
    monkeypatch.setattr(Places, "take", lambda *_given: False)  # nobody has the time to wait
    door, statuses = at_the_door(), Counter[int]()
    program = str(Path(sys.executable).with_name("st"))
    with open_door(statuses) as address:
        line = [program, "run", f"{address}/api/v1/openapi.json", *PLAN]
        line += ["--header", f"Authorization: Bearer {door.text}"]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    print(f"\n{sum(statuses.values())} requests: {dict(sorted(statuses.items()))}")
    assert done.returncode == 0, done.stdout[-8000:]
    assert sum(statuses.values()) >= 20_000
    assert not [status for status in statuses if status >= 500]
    with tenant_scope(door.tenant.pk):
        assert not Decision.objects.exclude(verdict="cancelar").exists()


def run(name: str, door: AtTheDoor, ref: str) -> Counter[int]:
    """How many answers of each status; raises for one that the description does not know."""
    api = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    method, _space, address = name.partition(" ")
    operation = api[address][method]
    statuses: Counter[int] = Counter()

    @plan(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(), known=st.booleans())
    def one(case: Any, known: bool) -> None:
        if known and "ref" in case.path_parameters:
            case.path_parameters["ref"] = ref
        case.query.pop("espera", None)  # nobody has the time
        response = case.call(headers={"Authorization": f"Bearer {door.text}"})
        case.validate_response(response, checks=CHECKS)
        statuses[response.status_code] += 1

    one()
    return statuses
