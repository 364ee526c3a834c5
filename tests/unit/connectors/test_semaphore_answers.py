"""What an answer means, and what is read out of one, by version. Without a server."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import httpx
import pytest

from opspilot.connectors import semaphore_answers as answers
from opspilot.connectors.errors import (
    ConnectorError,
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
    RemoteFaultError,
    ThrottledError,
)
from opspilot.connectors.http import Answer, BoundedClient
from opspilot.connectors.semaphore import MAX_OUTPUT, Semaphore
from opspilot.connectors.tasks import recap

OLD, NEW = (2, 12), (2, 18)
TASK = {
    "id": 9,
    "template_id": 21,
    "project_id": 4,
    "status": "waiting",
    "message": "opk1",
    "limit": "host-1",
    "params": {"limit": ["host-1"]},
    "user_id": 7,
    "created": "2026-11-30T12:00:00Z",
}
BODY = {
    "template_id": 21,
    "params": {"limit": ["host-1"]},
    "limit": "host-1",
    "environment": "{}",
    "message": "opk1",
}


def runner(answer: httpx.Response | Exception, version: str = "2.18.0") -> Semaphore:
    """A remote that tells its version and gives one answer to everything else."""

    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/info":
            return httpx.Response(200, json={"version": version})
        if isinstance(answer, Exception):
            raise answer
        return answer

    address = "http://127.0.0.1:3000"
    transport = httpx.MockTransport(handle)
    client = BoundedClient(base_url=address, token="t", timeout=5, transport=transport)
    return Semaphore(client, base_url=address)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (200, OutcomeUnknownError),
        (202, OutcomeUnknownError),
        (301, RefusedByRemoteError),
        (307, RefusedByRemoteError),
        (400, RefusedByRemoteError),
        (401, RefusedByRemoteError),
        (403, RefusedByRemoteError),
        (404, RefusedByRemoteError),
        (405, OutcomeUnknownError),
        (408, OutcomeUnknownError),
        (409, OutcomeUnknownError),
        (418, OutcomeUnknownError),
        (429, ThrottledError),
        (500, RemoteFaultError),
        (502, RemoteFaultError),
        (504, RemoteFaultError),
        (524, RemoteFaultError),
    ],
)
def test_each_status_of_a_start_has_its_class(status: int, error: type[ConnectorError]) -> None:
    with pytest.raises(ConnectorError) as caught:
        runner(httpx.Response(status, json=TASK)).start(4, BODY)
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        (httpx.ConnectError("x"), NotSentError),
        (httpx.ConnectTimeout("x"), NotSentError),
        (httpx.WriteError("x"), RemoteFaultError),
        (httpx.ReadTimeout("x"), RemoteFaultError),
        (httpx.ReadError("x"), RemoteFaultError),
        (httpx.RemoteProtocolError("x"), RemoteFaultError),
    ],
)
def test_each_fault_of_the_way_has_its_class(
    raised: Exception, error: type[ConnectorError]
) -> None:
    with pytest.raises(ConnectorError) as caught:
        runner(raised).start(4, BODY)
    assert type(caught.value) is error


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(201, text="<html>"),
        httpx.Response(201, text=""),
        httpx.Response(201, json=[TASK]),
        httpx.Response(201, json=None),
        httpx.Response(201, json={"id": 9}),
        httpx.Response(201, json=TASK | {"id": "9"}),
        httpx.Response(201, json=TASK | {"project_id": 5}),
        httpx.Response(201, json=TASK | {"message": "outra"}),
        httpx.Response(201, json=TASK | {"params": "host-1"}),
    ],
)
def test_a_201_that_is_not_our_task_leaves_the_outcome_unknown(answer: httpx.Response) -> None:
    with pytest.raises(OutcomeUnknownError):
        runner(answer).start(4, BODY)


@pytest.mark.parametrize(
    ("of", "changes", "limit"),
    [
        (NEW, {}, ("host-1",)),
        (NEW, {"params": {"limit": ["a", "b"]}}, ("a", "b")),
        (NEW, {"params": {"limit": []}}, ()),
        (NEW, {"params": {"limit": None}}, ()),
        (NEW, {"params": {}}, ()),
        (NEW, {"params": None}, ()),
        (OLD, {}, ("host-1",)),
        (OLD, {"limit": "a,b"}, ("a", "b")),
        (OLD, {"limit": ""}, ()),
        (OLD, {"limit": None, "params": {"limit": ["a"]}}, ()),
    ],
)
def test_the_limit_is_the_one_that_the_version_would_apply(
    of: tuple[int, int], changes: dict[str, Any], limit: tuple[str, ...]
) -> None:
    task = answers.task(TASK | changes, of=of, base_url="http://s.example/x/")
    assert task.limit == limit


def test_a_task_has_an_address_a_browser_may_open() -> None:
    task = answers.task(TASK, of=NEW, base_url="https://s.example/x/")
    assert task.url == "https://s.example/x/project/4/templates/21?t=9"
    assert task.created_at == dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("text", "version"),
    [("2.18.0", (2, 18)), ("v2.10.32-31", (2, 10)), ("2.9", (2, 9)), ("3.0.1-beta", (3, 0))],
)
def test_a_version_is_read_in_each_of_its_shapes(text: str, version: tuple[int, int]) -> None:
    assert answers.version({"version": text}) == version


@pytest.mark.parametrize("row", [{}, None, [], {"version": None}, {"version": "develop"}])
def test_what_is_no_version_is_unknown(row: Any) -> None:
    with pytest.raises(OutcomeUnknownError):
        answers.version(row)


@pytest.mark.parametrize(
    ("words", "widens"),
    [
        (None, False),
        ("", False),
        ("[]", False),
        ('["--diff", "-v", "-vvv", "--tags", "x", "-e", "a=1", "-elimite=1", "-t", "l"]', False),
        ('["--limit=all"]', True),
        ('["--limit", "all"]', True),
        ('["--lim=all"]', True),
        ('["--l", "all"]', True),
        ('["-l", "all"]', True),
        ('["-lall"]', True),
        ('["-vl", "all"]', True),
        ('["-i", "outro"]', True),
        ('["--inventory=outro"]', True),
        ('["--inventory-file", "outro"]', True),
        ('["--inv", "outro"]', True),
        ('{"a": 1}', True),
        ("--limit all", True),
    ],
)
def test_arguments_that_choose_hosts_make_a_template_unfit(words: str | None, widens: bool) -> None:
    row = {"id": 1, "project_id": 4, "name": "x", "app": "ansible", "arguments": words}
    found = answers.template(row, of=OLD)
    assert found.faults == (("argumentos_com_limite",) if widens else ())


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({"task_params": {"allow_override_limit": True}}, ()),
        ({"task_params": {"allow_override_limit": "true"}}, ("limite_nao_permitido",)),
        ({"task_params": {}}, ("limite_nao_permitido",)),
        ({"task_params": None}, ("limite_nao_permitido",)),
        ({}, ("limite_nao_permitido",)),
        ({"app": "bash"}, ("app_nao_e_ansible", "limite_nao_permitido")),
        ({"app": None}, ("app_nao_e_ansible", "limite_nao_permitido")),
    ],
)
def test_a_newer_template_must_allow_the_limit(
    changes: dict[str, Any], faults: tuple[str, ...]
) -> None:
    row = {"id": 1, "project_id": 4, "name": "x", "app": "ansible"} | changes
    assert answers.template(row, of=NEW).faults == faults


def test_the_fingerprint_does_not_depend_on_the_order_of_names() -> None:
    row = {"id": 1, "project_id": 4, "name": "x", "task_params": {"a": 1, "b": 2}, "playbook": "p"}
    turned = dict(reversed(row.items())) | {"task_params": {"b": 2, "a": 1}}
    first, second = (answers.template(each, of=NEW).fingerprint for each in (row, turned))
    assert (first == second, len(first)) == (True, 64)


def test_a_survey_is_read_with_its_values() -> None:
    survey = [
        {"name": "acao", "type": "enum", "required": True, "values": [{"name": "A", "value": "a"}]},
        {"name": "nota", "default_value": ["x", "y"], "values": None},
    ]
    row = {"id": 1, "project_id": 4, "name": "x", "survey_vars": survey}
    first, second = answers.template(row, of=NEW).survey
    assert (first.kind, first.required, first.values) == ("enum", True, ("a",))
    assert (second.kind, second.required, second.default) == ("", False, "x,y")


def test_a_long_output_keeps_its_beginning_its_recap_and_says_so() -> None:
    middle = "linha\n" * (MAX_OUTPUT // 3)
    end = "PLAY RECAP ****\nhost-1 : ok=1 changed=0 unreachable=0 failed=0\n"
    output = runner(httpx.Response(200, text=f"primeira\n{middle}{end}")).output(4, 9)
    assert len(output.encode()) <= MAX_OUTPUT
    assert output.startswith("primeira\n")
    assert list(recap(output)) == ["host-1"]
    assert "its middle is not kept" in output.splitlines()[-1]


def test_an_older_output_is_put_together_from_its_rows() -> None:
    rows = [{"output": "\x1b[0;32mok: [host-1]\x1b[0m"}, {"output": "fim"}]
    assert runner(httpx.Response(200, json=rows), "2.12.1").output(4, 9) == "ok: [host-1]\nfim\n"


@pytest.mark.parametrize("rows", [{}, "x", [1], [[]]], ids=["object", "text", "number", "list"])
def test_a_list_that_is_no_list_is_no_answer(rows: Any) -> None:
    with pytest.raises(OutcomeUnknownError):
        runner(httpx.Response(200, json=rows)).find(4, 21, "opk1", since=dt.datetime.now(dt.UTC))


def test_a_row_that_tells_no_time_reaches_nowhere() -> None:
    rows = [TASK | {"message": "outra", "created": None}]

    def handle(request: httpx.Request) -> httpx.Response:
        known = {"/api/info": {"version": "2.18.0"}, "/api/user": {"id": 7, "username": "u"}}
        return httpx.Response(200, content=json.dumps(known.get(request.url.path, rows)))

    address = "http://127.0.0.1:3000"
    transport = httpx.MockTransport(handle)
    client = BoundedClient(base_url=address, token="t", timeout=5, transport=transport)
    found = Semaphore(client, base_url=address).find(4, 21, "opk1", since=dt.datetime.now(dt.UTC))
    assert found.reaches_back is False


def test_the_wait_of_a_throttle_is_bounded() -> None:
    for given, wait in (("0", 1.0), ("7", 7.0), ("999999", 3600.0), ("logo", 30.0)):
        error = answers.failure(Answer(429, {"retry-after": given}, b""))
        assert isinstance(error, ThrottledError)
        assert error.retry_after == wait
