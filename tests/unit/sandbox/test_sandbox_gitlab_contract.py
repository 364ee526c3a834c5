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

ISSUES = "/projects/412/issues"
ISSUE = {
    "title": "Fila parada",
    "description": "texto",
    "labels": "incidente,runbook",
    "assignee_ids": [318],
    "confidential": True,
}
OPERATIONS = (
    "currentUser",
    "tokenSelf",
    "metadata",
    "getProject",
    "listLabels",
    "listMembers",
    "listIssues",
    "createIssue",
    "getIssue",
    "changeIssueState",
    "listNotes",
    "createNote",
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
        "https://gitlab.example.com",
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
    specification.validate_response(request, response)
    return answer


@pytest.mark.parametrize(
    "path",
    [
        "/user",
        "/personal_access_tokens/self",
        "/metadata",
        "/projects/412",
        "/projects/412/labels?per_page=2",
        "/projects/412/members/all",
        f"{ISSUES}?state=all&author_id=900&created_after=2026-01-01T00:00:00Z&per_page=100",
        f"{ISSUES}?search=fila&in=title",
        f"{ISSUES}?pagination=keyset&order_by=created_at&sort=desc&per_page=1",
        f"{ISSUES}/1",
        f"{ISSUES}/1/notes",
    ],
)
def test_reads_hold_to_the_contract(api: httpx.Client, contract: Path, path: str) -> None:
    _check(contract, api.post(ISSUES, json=ISSUE))
    _check(contract, api.post(ISSUES, json=ISSUE))
    _check(contract, api.post(f"{ISSUES}/1/notes", json={"body": "texto"}))
    assert _check(contract, api.get(path)).status_code == 200


def test_a_state_change_holds_to_the_contract(api: httpx.Client, contract: Path) -> None:
    api.post(ISSUES, json=ISSUE)
    answer = _check(contract, api.put(f"{ISSUES}/1", json={"state_event": "close"}))
    assert answer.json()["state"] == "closed"


def test_a_note_of_commands_alone_holds_to_the_contract(api: httpx.Client, contract: Path) -> None:
    api.post(ISSUES, json=ISSUE)
    answer = _check(contract, api.post(f"{ISSUES}/1/notes", json={"body": "/close"}))
    assert answer.status_code == 202


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (403, {"kind": "refuse"}),
        (409, {"kind": "refuse", "status": 409, "body": {"message": "Duplicated issue"}}),
        (429, {"kind": "throttle"}),
        (429, {"kind": "throttle", "retry_after": 3}),
        (500, {"kind": "error_before"}),
        (500, {"kind": "error_after"}),
        (429, {"kind": "throttle", "style": "json"}),
        (429, {"kind": "throttle", "style": "reset"}),
        (502, {"kind": "gateway_before"}),
        (504, {"kind": "gateway_after", "status": 504}),
        (524, {"kind": "gateway_after", "status": 524}),
    ],
)
def test_ordered_failures_hold_to_the_contract(
    api: httpx.Client, door: httpx.Client, contract: Path, status: int, fault: dict[str, Any]
) -> None:
    door.post("/faults", json=[fault])
    assert _check(contract, api.post(ISSUES, json=ISSUE)).status_code == status


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (409, "captcha"),
        (409, "duplicated"),
        (409, "locked"),
        (400, "spam"),
        (403, "granular_scope"),
        (429, "throttled"),
    ],
)
def test_named_outcomes_hold_to_the_contract(
    api: httpx.Client, door: httpx.Client, contract: Path, status: int, outcome: str
) -> None:
    door.post("/outcomes", json={"outcome": outcome})
    created = _check(contract, api.post(ISSUES, json=ISSUE))
    api.post(ISSUES, json=ISSUE)
    door.post("/outcomes", json={"outcome": outcome, "operation": "changeIssueState"})
    changed = _check(contract, api.put(f"{ISSUES}/1", json={"state_event": "close"}))
    assert (created.status_code, changed.status_code) == (status, status)


@pytest.mark.parametrize(
    ("status", "config"),
    [
        (401, {"token": {"revoked": True}}),
        (403, {"token": {"scopes": ["read_api"]}}),
        (403, {"projects": {"412": {"archived": True}}}),
        (404, {"members": {"412": {"900": None}}}),
        (429, {"limits": {"issues_a_minute": 1}}),
        (400, {"label_limit": 1}),
    ],
)
def test_what_the_instance_does_not_allow_holds_to_the_contract(
    api: httpx.Client, door: httpx.Client, contract: Path, status: int, config: dict[str, Any]
) -> None:
    door.post("/config", json=config).raise_for_status()
    answers = [_check(contract, api.post(ISSUES, json=ISSUE)) for _ in range(2)]
    assert answers[1].status_code == status


def test_a_note_of_the_remotes_own_holds_to_the_contract(api: httpx.Client, contract: Path) -> None:
    api.post(ISSUES, json=ISSUE)
    api.post(ISSUES, json=ISSUE | {"description": "veja #1"})
    (note,) = _check(contract, api.get(f"{ISSUES}/1/notes")).json()
    assert note["system"] is True


def test_a_listing_that_is_down_holds_to_the_contract(
    api: httpx.Client, door: httpx.Client, contract: Path
) -> None:
    door.post("/faults", json=[{"kind": "list_down"}])
    assert _check(contract, api.get(ISSUES)).status_code == 503


@pytest.mark.parametrize(
    ("status", "send"),
    [
        (401, lambda api: httpx.get(f"{api.base_url}user")),
        (404, lambda api: api.get("/projects/999")),
        (400, lambda api: api.post(ISSUES, json={"description": "a"})),
        (400, lambda api: api.get(f"{ISSUES}?created_after=ontem")),
    ],
)
def test_refusals_hold_to_the_contract(
    api: httpx.Client, contract: Path, status: int, send: Callable[[httpx.Client], httpx.Response]
) -> None:
    assert _check(contract, send(api), outside_contract=True).status_code == status


@pytest.fixture
def call(gitlab: SandboxProcess, api: httpx.Client) -> Callable[[Any], Any]:
    """Sends a generated case; project 412 has an issue 1 with a note."""
    api.post(ISSUES, json=ISSUE)
    api.post(f"{ISSUES}/1/notes", json={"body": "texto"})
    authorization = {"Authorization": api.headers["authorization"]}
    base_url = f"{gitlab.base_url}/api/v4"
    return lambda case: case.call(base_url=base_url, headers=authorization, timeout=5)


def _operation(contract: Path, name: str) -> Any:
    found = schemathesis.openapi.from_path(contract).get_all_operations()
    operations = [item.ok() for item in found if isinstance(item, Ok)]
    known = {operation.definition.raw["operationId"]: operation for operation in operations}
    assert set(known) == set(OPERATIONS)
    return known[name]


def _existing(operation: Any) -> dict[str, int] | None:
    present = {"id": 412, "issue_iid": 1}
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


@pytest.mark.parametrize("name", OPERATIONS)
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
