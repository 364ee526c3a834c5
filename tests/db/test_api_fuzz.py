"""A few hundred made-up requests from the description itself: no fault, and nothing undescribed."""

from __future__ import annotations

from collections import Counter
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
from opspilot.tenancy.scope import tenant_scope
from tests.agents import AtTheDoor, at_the_door, body

pytestmark = pytest.mark.usefixtures("committed")
EXAMPLES = 60  # of each operation
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
