"""Real ansible-playbook behind the sandbox. Who was touched is said by the files it left."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from opspilot.connectors.semaphore import Semaphore
from opspilot.connectors.tasks import recap
from opspilot.sandbox.semaphore.orders import Order
from opspilot.sandbox.semaphore.players import Players
from tests.unit.sandbox.semaphore.calls import TASKS, Row, body, stored, until

INVENTORY = """\
[web]
host-1
host-2
[outro]
host-3
[all:vars]
ansible_connection=local
"""
EVERY = ["host-1", "host-2", "host-3"]
FILE = "<a file on the server that names host-2>"
# What Ansible makes of a limit: the exit code, and who is touched.
LIMITS: dict[str, tuple[int, list[str]]] = {
    "host-1": (0, ["host-1"]),
    "host-999999": (1, []),
    "HOST-1": (1, []),
    "localhost": (1, []),
    "host-1,host-999999": (0, ["host-1"]),
    "": (0, EVERY),
    " ": (0, EVERY),
    ",": (0, EVERY),
    "all": (0, EVERY),
    "*": (0, EVERY),
    "host*": (0, EVERY),
    "!host-1": (0, ["host-2", "host-3"]),
    "~host-[12]": (0, ["host-1", "host-2"]),
    "host-1:host-3": (0, ["host-1", "host-3"]),
    "web": (0, ["host-1", "host-2"]),
    FILE: (0, ["host-2"]),
}


def order(limit: str | None) -> Order:
    return Order(
        task_id=1,
        app="ansible",
        playbook="coletar-diagnostico.yml",
        inventory_type="static",
        inventory=INVENTORY,
        limit=limit,
        extra={},
    )


def run(folder: Path, wanted: Order, player: str = "ansible") -> tuple[int, list[str], str]:
    players, lines = Players(folder), list[str]()
    code = players.run(wanted, player, lines.append, lambda _process: None)
    return code, list(players.touched(wanted.task_id)), "\n".join(lines)


@pytest.mark.usefixtures("ansible")
@pytest.mark.parametrize("limit", LIMITS)
def test_what_ansible_does_with_a_limit(tmp_path: Path, limit: str) -> None:
    names = tmp_path / "nomes"
    names.write_text("host-2\n", encoding="utf-8")
    given = f"@{names}" if limit == FILE else limit
    code, hosts, output = run(tmp_path, order(given))
    assert (code, hosts) == LIMITS[limit]
    assert sorted(recap(output)) == hosts


@pytest.mark.parametrize("limit", [limit for limit in LIMITS if limit != FILE])
def test_the_played_ansible_does_the_same(tmp_path: Path, limit: str) -> None:
    code, hosts, output = run(tmp_path, order(limit), "played")
    assert (code, hosts) == LIMITS[limit]
    assert sorted(recap(output)) == hosts


@pytest.mark.usefixtures("ansible")
@pytest.mark.parametrize("words", [("--limit=all",), ("--lim", "all"), ("-vl", "all")])
def test_a_limit_in_the_arguments_wins(tmp_path: Path, words: tuple[str, ...]) -> None:
    code, hosts, _ = run(tmp_path, replace(order("host-1"), arguments=words))
    assert (code, hosts) == (0, EVERY)


@pytest.mark.usefixtures("ansible")
def test_a_play_for_another_group_ends_well_and_touches_nobody(tmp_path: Path) -> None:
    code, hosts, output = run(tmp_path, replace(order("host-1"), playbook="outro-grupo.yml"))
    assert (code, hosts, recap(output)) == (0, [], {})


@pytest.mark.usefixtures("ansible")
def test_a_check_touches_nobody(tmp_path: Path) -> None:
    code, hosts, output = run(tmp_path, replace(order("host-1"), check=True))
    assert (code, hosts, list(recap(output))) == (0, [], ["host-1"])


@pytest.mark.usefixtures("ansible")
def test_a_value_that_is_a_template_runs_a_command_on_the_server(tmp_path: Path) -> None:
    mark = tmp_path / "executado"
    odd = {"server_name": "{{ lookup('ansible.builtin.pipe', 'touch " + str(mark) + "') }}"}
    extra = odd | {"server_action": "status"}
    run(tmp_path, replace(order("host-1"), playbook="acao-em-servico.yml", extra=extra))
    assert mark.exists()


@pytest.mark.parametrize("value", ["{{ 1 }}", "a {% if x %}", "{# nota #}"])
def test_such_a_value_never_leaves(runner: Semaphore, door: httpx.Client, value: str) -> None:
    with pytest.raises(ValueError, match="evaluated by Ansible"):
        runner.start(4, body(variables={"server_name": value}))
    assert [row for row in door.get("/log").json() if row["method"] == "POST"] == []


@pytest.fixture
def real(door: httpx.Client, ansible: str) -> None:
    door.post("/config", json={"player": "ansible", "flush_delay": 0.1}).raise_for_status()


@pytest.mark.usefixtures("real")
def test_ours_touches_exactly_the_approved_host(
    door: httpx.Client, runner: Semaphore, finish: Callable[[int], Row]
) -> None:
    variables = {"server_name": "fila", "server_action": "restart"}
    task = runner.start(4, body(["srv-pag-02"], template=21, variables=variables))
    assert finish(task.id)["status"] == "success"
    assert stored(door, task.id)["touched"] == {"srv-pag-02": "srv-pag-02"}
    result = recap(runner.output(4, task.id))
    assert (list(result), result["srv-pag-02"].failed) == (["srv-pag-02"], 0)


@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("host", ["host-11", "host-12", "host-1"])
def test_the_played_recap_is_the_real_one(
    door: httpx.Client, runner: Semaphore, finish: Callable[[int], Row], host: str
) -> None:
    results = []
    for player in ("ansible", "played"):
        door.post("/config", json={"player": player}).raise_for_status()
        task = runner.start(4, body([host]))
        status = finish(task.id)["status"]
        results.append((status, recap(runner.output(4, task.id))))
    assert results[0] == results[1]


@pytest.mark.usefixtures("real")
def test_a_stop_ends_a_run_that_has_begun(
    door: httpx.Client, api: httpx.Client, runner: Semaphore, finish: Callable[[int], Row]
) -> None:
    asked = {"template_id": 23, "message": "opk-1"}  # every host: it takes seconds
    task_id = api.post(TASKS, json=asked).json()["id"]
    until(lambda: runner.task(4, task_id).status == "running")
    runner.stop(4, task_id, force=False)
    assert finish(task_id)["status"] == "stopped"
    assert recap(runner.output(4, task_id)) == {}


@pytest.mark.usefixtures("real")
def test_the_message_reaches_the_playbook(
    door: httpx.Client, runner: Semaphore, finish: Callable[[int], Row]
) -> None:
    task = runner.start(4, body(["host-1"], marker="opk-77"))
    finish(task.id)
    command = stored(door, task.id)["command"]
    extra = json.loads(command[command.index("--extra-vars") + 1])
    assert extra["semaphore_vars"]["task_details"]["message"] == "opk-77"
