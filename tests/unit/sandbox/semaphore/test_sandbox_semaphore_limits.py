"""What becomes of a limit, by the version's rules; the hosts that were touched are the witness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from opspilot.connectors.semaphore import Semaphore
from tests.unit.sandbox.semaphore.calls import TASKS, Row, body, sent, stored

Touched = Callable[[Row], list[str]]
EVERY = 20  # hosts of the inventory that answer


@pytest.fixture(params=["2.18.0", "2.13.0"])
def modern(request: pytest.FixtureRequest, door: httpx.Client) -> None:
    door.post("/config", json={"version": request.param}).raise_for_status()


@pytest.fixture
def older(door: httpx.Client) -> None:
    door.post("/config", json={"version": "2.12.14"}).raise_for_status()


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("template", [23, 25, 28])
def test_an_older_release_always_applies_the_limit(touched: Touched, template: int) -> None:
    assert touched({"template_id": template, "limit": "host-2"}) == ["host-2"]


@pytest.mark.usefixtures("older")
def test_an_older_release_knows_nothing_of_params(touched: Touched) -> None:
    assert len(touched({"template_id": 25, "params": {"limit": ["host-2"]}})) == EVERY


@pytest.mark.usefixtures("older")
def test_an_older_release_says_the_limit_in_the_output(
    api: httpx.Client, finish: Callable[[int], Row]
) -> None:
    task = finish(api.post(TASKS, json={"template_id": 25, "limit": "host-2"}).json()["id"])
    lines = [row["output"] for row in api.get(f"{TASKS}/{task['id']}/output").json()]
    assert "--limit=host-2" in lines


@pytest.mark.usefixtures("modern")
@pytest.mark.parametrize(
    "asked", [{"limit": "host-2"}, {"params": {"limit": ["host-2"]}}], ids=["text", "params"]
)
def test_a_template_that_allows_a_limit_applies_it(touched: Touched, asked: Row) -> None:
    assert touched({"template_id": 25, **asked}) == ["host-2"]


@pytest.mark.usefixtures("modern")
@pytest.mark.parametrize(
    "asked", [{"limit": "host-2"}, {"params": {"limit": ["host-2"]}}], ids=["text", "params"]
)
def test_a_template_that_does_not_allow_a_limit_runs_everywhere(
    touched: Touched, asked: Row
) -> None:
    assert len(touched({"template_id": 23, **asked})) == EVERY


@pytest.mark.usefixtures("modern")
def test_an_ignored_limit_is_echoed_all_the_same(api: httpx.Client) -> None:
    asked = {"template_id": 23, "limit": "host-2", "params": {"limit": ["host-2"]}}
    task = api.post(TASKS, json=asked).json()
    assert (task["limit"], task["params"]) == ("host-2", {"limit": ["host-2"]})


@pytest.mark.usefixtures("modern")
@pytest.mark.parametrize("template", [25, 28])
def test_an_empty_list_means_every_host_even_over_a_default(
    touched: Touched, template: int
) -> None:
    assert len(touched({"template_id": template, "params": {"limit": []}})) == EVERY


@pytest.mark.usefixtures("modern")
@pytest.mark.parametrize(("template", "count"), [(25, EVERY), (28, 1)])
def test_a_null_in_params_hides_the_text_beside_it(
    touched: Touched, template: int, count: int
) -> None:
    asked = {"template_id": template, "params": {"limit": None}, "limit": "host-2"}
    hosts = touched(asked)
    assert (len(hosts), "host-2" in hosts) == (count, count == EVERY)


@pytest.mark.usefixtures("modern")
def test_without_a_limit_the_template_s_own_holds(touched: Touched) -> None:
    assert touched({"template_id": 28}) == ["host-1"]


@pytest.mark.usefixtures("modern")
def test_a_misspelt_limit_is_no_limit(touched: Touched) -> None:
    assert len(touched({"template_id": 25, "limits": "host-2", "param": {}})) == EVERY


@pytest.mark.usefixtures("modern")
def test_arguments_of_the_template_win_over_the_limit(touched: Touched) -> None:
    assert len(touched({"template_id": 27, "limit": "host-2"})) == EVERY


def test_arguments_of_a_task_win_where_the_template_lets_them(
    door: httpx.Client, touched: Touched
) -> None:
    changes = {"25": {"allow_override_args_in_task": True}}
    door.post("/config", json={"templates": changes}).raise_for_status()
    asked = {"template_id": 25, "limit": "host-2", "arguments": '["--limit=host-3"]'}
    assert touched(asked) == ["host-3"]


def test_another_playbook_runs_without_being_asked_for_permission(
    api: httpx.Client, door: httpx.Client, finish: Callable[[int], Row]
) -> None:
    asked = {"template_id": 25, "limit": "host-2", "playbook": "tirar-da-manutencao.yml"}
    task = finish(api.post(TASKS, json=asked).json()["id"])
    assert stored(door, task["id"])["command"][-1] == "tirar-da-manutencao.yml"


def test_a_limit_means_nothing_to_a_script(touched: Touched) -> None:
    assert touched({"template_id": 24, "limit": "host-2"}) == ["servidor-do-semaphore"]


@pytest.mark.parametrize("version", ["2.12.14", "2.13.0", "2.18.0"])
def test_ours_touches_the_one_host_whatever_the_version(
    door: httpx.Client,
    runner: Semaphore,
    finish: Callable[[int], Row],
    version: str,
) -> None:
    door.post("/config", json={"version": version}).raise_for_status()
    task = runner.start(4, body(["host-2"]))
    finish(task.id)
    assert (task.limit, list(stored(door, task.id)["touched"])) == (("host-2",), ["host-2"])


@pytest.mark.parametrize(("version", "place"), [("2.12.14", "top"), ("2.18.0", "params")])
def test_a_dry_run_asked_for_in_its_version_s_place_touches_nobody(
    door: httpx.Client, touched: Touched, version: str, place: str
) -> None:
    door.post("/config", json={"version": version}).raise_for_status()
    asked: Row = {"template_id": 25, "limit": "host-2"}
    asked |= {"dry_run": True} if place == "top" else {"params": {"dry_run": True}}
    assert touched(asked) == []


@pytest.mark.parametrize(("version", "place"), [("2.12.14", "params"), ("2.18.0", "top")])
def test_a_dry_run_asked_for_in_the_other_version_s_place_is_real(
    door: httpx.Client, touched: Touched, version: str, place: str
) -> None:
    door.post("/config", json={"version": version}).raise_for_status()
    asked: Row = {"template_id": 25, "limit": "host-2"}
    asked |= {"dry_run": True} if place == "top" else {"params": {"dry_run": True}}
    assert touched(asked) == ["host-2"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"limits": ["host-2"]},
        {"params": {"limit": []}},
        {"params": {"limit": None}},
        {"params": {"limit": ["host-1"]}, "limit": "host-2"},
        {"params": {"limit": ["all"]}, "limit": "all"},
        {"params": {"limit": ["host-1,host-2"]}, "limit": "host-1,host-2"},
        {"params": {"limit": ["host*"]}, "limit": "host*"},
        {"playbook": "outro.yml"},
        {"arguments": '["--limit=all"]'},
        {"inventory_id": 2},
        {"template_id": "25"},
        {"params": {"limit": ["host-1"], "dry_run": True}},
        {"dry_run": True},
    ],
)
def test_what_could_widen_a_run_never_leaves(
    door: httpx.Client, runner: Semaphore, wrong: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="validation error"):
        runner.start(4, body() | wrong)
    assert sent(door) == []
