"""Holds the sandbox to the OpenAPI contract: chosen calls, then generated ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from openapi_core import OpenAPI
from openapi_core.testing import MockRequest, MockResponse
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from opspilot.sandbox.process import SandboxProcess
from tests.unit.sandbox.semaphore.calls import TASKS, body

VERSIONS = ("2.12.14", "2.18.0")
PATHS = (
    "/ping",
    "/info",
    "/user",
    "/user/tokens",
    "/project/4",
    "/project/4/role",
    "/project/4/templates",
    "/project/4/templates/21",
    "/project/4/templates/25/tasks/last?limit=200",
    "/project/4/templates/23/tasks/last",
    "/project/4/inventory",
    "/project/4/inventory/1",
    "/project/4/tasks/last",
    "/project/4/tasks/1",
    "/project/4/tasks/1/output",
)
OPERATIONS = (
    "ping",
    "info",
    "currentUser",
    "listTokens",
    "createToken",
    "expireToken",
    "getProject",
    "getRole",
    "listTemplates",
    "getTemplate",
    "lastTemplateTasks",
    "listInventories",
    "getInventory",
    "startTask",
    "lastProjectTasks",
    "getTask",
    "getTaskOutput",
    "getTaskRawOutput",
    "stopTask",
)
CONFORMANCE = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
FEW = settings(
    max_examples=15,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@cache
def _specification(contract: Path) -> OpenAPI:
    return OpenAPI.from_file_path(str(contract))


def _check(
    contract: Path, answer: httpx.Response, *, outside_contract: bool = False
) -> httpx.Response:
    """`outside_contract`: the request is wrong on purpose, only its answer is checked."""
    sent = answer.request
    request = MockRequest(
        "https://semaphore.example.com",
        sent.method.lower(),
        sent.url.path,
        args=dict(sent.url.params),
        headers=dict(sent.headers),
        data=sent.content or None,
    )
    response = MockResponse(
        answer.content,
        status_code=answer.status_code,
        headers=dict(answer.headers),
        content_type=answer.headers["content-type"].partition(";")[0],
    )
    specification = _specification(contract)
    if not outside_contract:
        specification.validate_request(request)
    if answer.content:
        specification.validate_response(request, response)
    return answer


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", PATHS)
def test_reads_hold_to_the_contract(
    api: httpx.Client, door: httpx.Client, contract: Path, path: str, version: str
) -> None:
    door.post("/config", json={"version": version}).raise_for_status()
    assert _check(contract, api.get(path)).status_code == 200


@pytest.mark.parametrize("version", VERSIONS)
def test_a_start_holds_to_the_contract(
    api: httpx.Client, door: httpx.Client, contract: Path, version: str
) -> None:
    door.post("/config", json={"version": version}).raise_for_status()
    assert _check(contract, api.post(TASKS, json=body())).status_code == 201


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (403, {"kind": "refuse", "body": {"error": "no"}}),
        (500, {"kind": "error_before"}),
        (500, {"kind": "error_after"}),
        (502, {"kind": "gateway_after"}),
    ],
)
def test_ordered_failures_hold_to_the_contract(
    api: httpx.Client, door: httpx.Client, contract: Path, status: int, fault: dict[str, Any]
) -> None:
    door.post("/faults", json=[fault])
    assert _check(contract, api.post(TASKS, json=body())).status_code == status


@pytest.mark.parametrize(
    ("status", "send"),
    [
        (401, lambda api: httpx.get(f"{api.base_url}user")),
        (404, lambda api: api.get("/project/999")),
        (400, lambda api: api.post(TASKS, json={"template_id": "25"})),
        (400, lambda api: api.get(f"{TASKS}/999999")),
        (404, lambda api: api.post(TASKS, json=body(template=999))),
    ],
)
def test_refusals_hold_to_the_contract(
    api: httpx.Client, contract: Path, status: int, send: Callable[[httpx.Client], httpx.Response]
) -> None:
    assert _check(contract, send(api), outside_contract=True).status_code == status


@pytest.fixture
def call(semaphore: SandboxProcess, api: httpx.Client, door: httpx.Client) -> Callable[[Any], Any]:
    """Sends a generated case; task 1 is an earlier one and has ended."""
    authorization = {"Authorization": api.headers["authorization"]}
    base_url = f"{semaphore.base_url}/api"
    return lambda case: case.call(base_url=base_url, headers=authorization, timeout=10)


def _operation(contract: Path, name: str) -> Any:
    found = schemathesis.openapi.from_path(contract).get_all_operations()
    operations = [item.ok() for item in found if isinstance(item, Ok)]
    known = {operation.definition.raw["operationId"]: operation for operation in operations}
    assert set(known) == set(OPERATIONS)
    return known[name]


def _existing(operation: Any) -> dict[str, int] | None:
    present = {"project_id": 4, "template_id": 25, "inventory_id": 1, "task_id": 1}
    named = {name: value for name, value in present.items() if f"{{{name}}}" in operation.path}
    return named or None


@pytest.mark.parametrize("name", OPERATIONS)
def test_generated_calls_on_what_exists_get_conforming_answers(
    contract: Path, call: Callable[[Any], Any], name: str
) -> None:
    operation = _operation(contract, name)

    @FEW
    @given(case=operation.as_strategy(path_parameters=_existing(operation)))
    def run(case: Any) -> None:
        case.validate_response(call(case), checks=CONFORMANCE)

    run()


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name not in {"ping", "startTask"}])
def test_generated_nonsense_does_not_break_the_server(
    contract: Path, call: Callable[[Any], Any], name: str
) -> None:
    operation = _operation(contract, name)
    # Where a query or a body can be wrong, the ids are right, so the nonsense is reached.
    ids = _existing(operation) if operation.query or operation.body else None
    strategy = operation.as_strategy(GenerationMode.NEGATIVE, path_parameters=ids)

    @FEW
    @given(case=strategy)
    def run(case: Any) -> None:
        case.validate_response(call(case), checks=[not_a_server_error])

    run()


def test_generated_nonsense_as_a_start_gets_an_answer_of_the_contract(
    contract: Path, call: Callable[[Any], Any]
) -> None:
    """500 is one of them: so the remote answers what its columns do not hold."""
    operation = _operation(contract, "startTask")

    @FEW
    @given(case=operation.as_strategy(GenerationMode.NEGATIVE, path_parameters={"project_id": 4}))
    def run(case: Any) -> None:
        case.validate_response(call(case), checks=[status_code_conformance])

    run()
