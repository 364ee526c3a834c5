"""Each trap of the remote, sprung raw; and closed, where it is ours to close, through our client."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable

import httpx
import pytest

from opspilot.connectors.errors import OutcomeUnknownError, RefusedByRemoteError
from opspilot.connectors.semaphore import MAX_LISTED, Semaphore
from opspilot.connectors.tasks import recap
from tests.unit.sandbox.semaphore.calls import TASKS, Row, body, sent, stored, until

Finish = Callable[[int], Row]
ONE_DAY = dt.timedelta(days=1)


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def play(door: httpx.Client, name: str, **more: object) -> None:
    fault = {"kind": "play", "play": name, **more}
    door.post("/faults", json=[fault]).raise_for_status()


# What is not checked


def test_survey_variables_are_not_enforced(api: httpx.Client, finish: Finish) -> None:
    odd = json.dumps({"server_action": "apagar-tudo", "server_name": "x", "sobra": 1})
    asked = {"template_id": 21, "limit": "srv-pag-02", "environment": odd}
    assert finish(api.post(TASKS, json=asked).json()["id"])["status"] == "success"


def test_a_variable_redirects_the_connection_and_the_recap_does_not_say_so(
    api: httpx.Client, door: httpx.Client, finish: Finish, runner: Semaphore
) -> None:
    odd = json.dumps({"ansible_host": "10.9.9.9"})
    asked = {"template_id": 25, "limit": "host-1", "environment": odd}
    task = finish(api.post(TASKS, json=asked).json()["id"])
    assert stored(door, task["id"])["touched"] == {"host-1": "10.9.9.9"}
    assert set(recap(runner.output(4, task["id"]))) == {"host-1"}


@pytest.mark.parametrize("name", ["ansible_host", "semaphore_vars", "inventory_hostname"])
def test_such_a_variable_never_leaves(door: httpx.Client, runner: Semaphore, name: str) -> None:
    with pytest.raises(ValueError, match="not a variable's"):
        runner.start(4, body(variables={name: "10.9.9.9"}))
    assert sent(door) == []


def test_an_unknown_inventory_falls_back_without_a_word(
    door: httpx.Client, api: httpx.Client, finish: Finish
) -> None:
    door.post("/config", json={"version": "2.12.14"}).raise_for_status()
    asked = {"template_id": 25, "limit": "host-1", "inventory_id": 99}
    task = finish(api.post(TASKS, json=asked).json()["id"])
    assert (task["inventory_id"], list(stored(door, task["id"])["touched"])) == (99, ["host-1"])


@pytest.mark.parametrize(("version", "wins"), [("2.12.14", "template"), ("2.18.0", "task")])
def test_which_value_of_a_variable_wins_depends_on_the_version(
    door: httpx.Client, api: httpx.Client, finish: Finish, version: str, wins: str
) -> None:
    own = {"25": {"_environment": json.dumps({"motivo": "template"})}}
    door.post("/config", json={"version": version, "templates": own}).raise_for_status()
    given = json.dumps({"motivo": "task"})
    asked = {"template_id": 25, "limit": "host-1", "environment": given}
    task = finish(api.post(TASKS, json=asked).json()["id"])
    command = stored(door, task["id"])["command"]
    assert json.loads(command[command.index("--extra-vars") + 1])["motivo"] == wins


# Refusals that are not what they seem


def test_a_template_s_id_as_text_is_refused(api: httpx.Client) -> None:
    assert api.post(TASKS, json={"template_id": "25"}).status_code == 400


@pytest.mark.parametrize(("version", "status"), [("2.12.14", 500), ("2.18.0", 404)])
def test_an_unknown_template_stores_nothing(
    door: httpx.Client, api: httpx.Client, version: str, status: int
) -> None:
    door.post("/config", json={"version": version}).raise_for_status()
    before = len(door.get("/tasks").json())
    assert api.post(TASKS, json={"template_id": 999}).status_code == status
    assert len(door.get("/tasks").json()) == before


def test_a_broken_environment_is_500_with_a_task_in_error(
    door: httpx.Client, api: httpx.Client
) -> None:
    answer = api.post(TASKS, json={"template_id": 25, "environment": "{", "message": "opk-1"})
    newest = door.get("/tasks").json()[-1]
    assert (answer.status_code, newest["status"], newest["message"]) == (500, "error", "opk-1")


def test_a_message_longer_than_the_column_is_500_and_stores_nothing(
    door: httpx.Client, api: httpx.Client
) -> None:
    before = len(door.get("/tasks").json())
    answer = api.post(TASKS, json={"template_id": 25, "message": "x" * 251})
    assert (answer.status_code, len(door.get("/tasks").json())) == (500, before)


def test_an_unknown_task_is_400_without_a_body(api: httpx.Client) -> None:
    answer = api.get(f"{TASKS}/999999")
    assert (answer.status_code, answer.content) == (400, b"")


def test_for_us_an_unknown_task_is_no_proof_that_it_is_gone(runner: Semaphore) -> None:
    with pytest.raises(OutcomeUnknownError):
        runner.task(4, 999_999)


def test_a_stop_without_a_json_body_is_refused(api: httpx.Client, door: httpx.Client) -> None:
    play(door, "stuck_running")
    task_id = api.post(TASKS, json={"template_id": 25}).json()["id"]
    assert api.post(f"{TASKS}/{task_id}/stop").status_code == 400


def test_our_stop_has_a_body(runner: Semaphore, door: httpx.Client, finish: Finish) -> None:
    play(door, "stuck_running")
    task = runner.start(4, body())
    runner.stop(4, task.id, force=True)
    assert finish(task.id)["status"] == "stopped"


def test_a_stop_of_what_has_ended_is_refused(runner: Semaphore, finish: Finish) -> None:
    task = runner.start(4, body())
    finish(task.id)
    with pytest.raises(RefusedByRemoteError):
        runner.stop(4, task.id, force=True)


# Who may what


@pytest.mark.parametrize(("role", "status"), [("guest", 403), ("", 404), ("manager", 201)])
def test_a_role_decides_who_may_start(
    door: httpx.Client, api: httpx.Client, role: str, status: int
) -> None:
    door.post("/config", json={"role": role}).raise_for_status()
    assert api.post(TASKS, json={"template_id": 25}).status_code == status


def test_a_guest_may_read(door: httpx.Client, runner: Semaphore) -> None:
    door.post("/config", json={"role": "guest"}).raise_for_status()
    assert runner.template(4, 25).name == "Pôr em manutenção"


def test_a_wrong_token_is_401_without_a_body(semaphore: object, api: httpx.Client) -> None:
    answer = api.get("/user", headers={"Authorization": "Bearer outro"})
    assert (answer.status_code, answer.content) == (401, b"")


def test_an_older_release_takes_the_token_in_any_case_and_a_newer_one_does_not(
    door: httpx.Client, api: httpx.Client
) -> None:
    shouted = {"Authorization": api.headers["authorization"].upper()}
    assert api.get("/user", headers=shouted).status_code == 401
    door.post("/config", json={"version": "2.12.14"}).raise_for_status()
    assert api.get("/user", headers=shouted).status_code == 200


def test_an_expired_token_is_refused(door: httpx.Client, runner: Semaphore) -> None:
    door.post("/config", json={"token_expired": True}).raise_for_status()
    with pytest.raises(RefusedByRemoteError) as caught:
        runner.start(4, body())
    assert caught.value.status == 401


# Lists


def test_an_empty_list_is_null(api: httpx.Client) -> None:
    assert api.get("/project/4/templates/23/tasks/last").json() is None


def test_for_us_an_empty_list_is_empty_and_reaches_back(runner: Semaphore) -> None:
    found = runner.find(4, 23, "opk-1", since=now())
    assert (found.tasks, found.reaches_back) == ((), True)


def test_a_task_is_found_by_its_exact_message(runner: Semaphore) -> None:
    runner.start(4, body(marker="opk-1-2"))
    task = runner.start(4, body(marker="opk-1"))
    found = runner.find(4, 25, "opk-1", since=now() - ONE_DAY)
    assert [each.id for each in found.tasks] == [task.id]


def test_somebody_else_s_task_with_our_marker_is_not_ours(
    door: httpx.Client, runner: Semaphore
) -> None:
    task = runner.start(4, body())
    door.post("/tasks", json={"id": task.id, "user_id": 3}).raise_for_status()
    assert runner.find(4, 25, "opk-1", since=now() - ONE_DAY).tasks == ()


def test_two_tasks_with_one_marker_are_both_found_lowest_first(
    door: httpx.Client, runner: Semaphore
) -> None:
    task = runner.start(4, body())
    twin = door.post("/copy", json={"id": task.id}).json()["id"]
    found = runner.find(4, 25, "opk-1", since=now() - ONE_DAY)
    assert [each.id for each in found.tasks] == [task.id, twin]


def test_a_list_that_goes_back_further_than_the_attempt_proves_absence(runner: Semaphore) -> None:
    found = runner.find(4, 25, "opk-1", since=now() - ONE_DAY)
    assert (found.tasks, found.reaches_back) == ((), True)


def test_after_retention_an_empty_result_proves_nothing(
    door: httpx.Client, runner: Semaphore, finish: Finish
) -> None:
    began = now()
    door.post("/config", json={"max_tasks_per_template": 2}).raise_for_status()
    for marker in ("opk-1", "opk-2", "opk-3"):
        finish(runner.start(4, body(marker=marker)).id)
    found = runner.find(4, 25, "opk-1", since=began)
    assert (found.tasks, found.reaches_back) == ((), False)


def test_what_retention_deleted_is_gone_with_its_output(
    door: httpx.Client, api: httpx.Client, runner: Semaphore, finish: Finish
) -> None:
    door.post("/config", json={"max_tasks_per_template": 1}).raise_for_status()
    first = runner.start(4, body())
    finish(first.id)
    runner.start(4, body(marker="opk-2"))
    assert api.get(f"{TASKS}/{first.id}/output").status_code == 400


def test_a_list_longer_than_one_reading_proves_nothing(
    door: httpx.Client, runner: Semaphore
) -> None:
    began = now()
    task = runner.start(4, body(marker="opk-0"))
    for _ in range(MAX_LISTED + 1):
        door.post("/copy", json={"id": task.id}).raise_for_status()
    found = runner.find(4, 25, "opk-1", since=began)
    assert (found.tasks, found.reaches_back) == ((), False)


# Runs that do not go as they say


@pytest.mark.parametrize("name", ["stuck_waiting", "stuck_running"])
def test_some_tasks_never_end(door: httpx.Client, runner: Semaphore, name: str) -> None:
    play(door, name)
    task = runner.start(4, body())
    assert runner.task(4, task.id).ended is False


def test_a_success_can_have_touched_no_host(
    door: httpx.Client, runner: Semaphore, finish: Finish
) -> None:
    play(door, "touched_nobody")
    task = runner.start(4, body())
    assert finish(task.id)["status"] == "success"
    assert recap(runner.output(4, task.id)) == {}


def test_a_host_outside_is_in_the_recap(
    door: httpx.Client, runner: Semaphore, finish: Finish
) -> None:
    play(door, "outside_host")
    task = runner.start(4, body(["host-1"]))
    finish(task.id)
    hosts = set(recap(runner.output(4, task.id)))
    assert (len(hosts), "host-1" in hosts) == (2, True)


def test_the_recap_can_come_after_the_end(
    door: httpx.Client, runner: Semaphore, finish: Finish
) -> None:
    play(door, "late_output", seconds=3600)
    task = runner.start(4, body())
    until(lambda: runner.task(4, task.id).ended)
    assert recap(runner.output(4, task.id)) == {}
    door.post("/clock", json={"advance": 3600}).raise_for_status()
    finish(task.id)
    assert set(recap(runner.output(4, task.id))) == {"host-1"}


@pytest.mark.parametrize("name", ["lost_output", "mixed_output"])
def test_an_output_that_is_not_whole_has_no_recap(
    door: httpx.Client, runner: Semaphore, finish: Finish, name: str
) -> None:
    play(door, name)
    task = runner.start(4, body())
    assert finish(task.id)["status"] == "success"
    assert recap(runner.output(4, task.id)) == {}


@pytest.mark.parametrize(("host", "result"), [("host-11", (2, 1, 0, 1)), ("host-12", (1, 0, 1, 0))])
def test_a_host_that_fails_makes_an_error(
    runner: Semaphore, finish: Finish, host: str, result: tuple[int, int, int, int]
) -> None:
    task = runner.start(4, body([host]))
    assert finish(task.id)["status"] == "error"
    counts = recap(runner.output(4, task.id))[host]
    assert (counts.ok, counts.changed, counts.unreachable, counts.failed) == result


def test_tasks_of_one_template_run_one_after_the_other(
    door: httpx.Client, runner: Semaphore
) -> None:
    door.post("/config", json={"start_delay": 600}).raise_for_status()
    first, second = runner.start(4, body()), runner.start(4, body(marker="opk-2"))
    assert [runner.task(4, each.id).status for each in (first, second)] == ["waiting", "waiting"]
    door.post("/clock", json={"advance": 601}).raise_for_status()
    until(lambda: runner.task(4, first.id).ended)
    assert runner.task(4, second.id).status == "waiting"
