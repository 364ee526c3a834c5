"""What we read of the remote, and what of it is not kept."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from opspilot.connectors.errors import NotSentError, RefusedByRemoteError
from opspilot.connectors.semaphore import Semaphore
from opspilot.connectors.tasks import recap
from tests.unit.sandbox.semaphore.calls import Row, adapter, body

Finish = Callable[[int], Row]


@pytest.mark.parametrize(
    "changes",
    [
        {"playbook": "outro-grupo.yml"},
        {"inventory_id": 2},
        {"repository_id": 9},
        {"git_branch": "outra"},
        {"environment_id": 9},
        {"survey_vars": []},
        {"arguments": '["--diff"]'},
        {"allow_override_args_in_task": True},
        {"task_params": {"allow_debug": True}},
    ],
)
def test_a_template_that_changed_has_another_fingerprint(
    door: httpx.Client, runner: Semaphore, changes: Row
) -> None:
    before = runner.template(4, 21).fingerprint
    door.post("/config", json={"templates": {"21": changes}}).raise_for_status()
    assert runner.template(4, 21).fingerprint != before


def test_a_template_that_has_another_description_is_the_same(
    door: httpx.Client, runner: Semaphore
) -> None:
    before = runner.template(4, 21).fingerprint
    door.post("/config", json={"templates": {"21": {"description": "outra"}}}).raise_for_status()
    assert runner.template(4, 21).fingerprint == before


@pytest.mark.parametrize(
    ("template", "faults"),
    [
        (21, ()),
        (23, ("limite_nao_permitido",)),
        (24, ("app_nao_e_ansible",)),
        (27, ("argumentos_com_limite",)),
    ],
)
def test_a_template_that_may_not_be_run_with_a_limit_says_why(
    runner: Semaphore, template: int, faults: tuple[str, ...]
) -> None:
    assert runner.template(4, template).faults == faults


def test_in_an_older_release_every_ansible_template_takes_a_limit(
    door: httpx.Client, runner: Semaphore
) -> None:
    door.post("/config", json={"version": "2.12.14"}).raise_for_status()
    assert runner.template(4, 23).faults == ()


def test_the_inventory_s_text_has_a_password_and_we_keep_names(
    api: httpx.Client, runner: Semaphore
) -> None:
    assert "senha-inventada" in api.get("/project/4/inventory/1").json()["inventory"]
    hosts = runner.hosts(4, 1)
    assert hosts is not None
    assert {"host-10", "srv-pag-02", "app-02"} <= hosts
    assert not [name for name in hosts if "senha" in name or name == "pagamentos"]


def test_a_yaml_inventory_is_read_too_and_a_file_s_cannot_be_seen(runner: Semaphore) -> None:
    assert (runner.hosts(4, 2), runner.hosts(4, 3)) == (frozenset({"host-1", "host-2"}), None)


@pytest.mark.parametrize("version", ["2.12.14", "2.13.0", "2.18.0"])
def test_an_output_is_read_in_every_release(
    door: httpx.Client, runner: Semaphore, finish: Finish, version: str
) -> None:
    door.post("/config", json={"version": version}).raise_for_status()
    task = runner.start(4, body())
    finish(task.id)
    assert set(recap(runner.output(4, task.id))) == {"host-1"}


def test_an_upgrade_is_noticed_after_a_failure(door: httpx.Client, runner: Semaphore) -> None:
    door.post("/config", json={"version": "2.12.14"}).raise_for_status()
    assert runner.version() == (2, 12)
    door.post("/config", json={"version": "2.18.0"}).raise_for_status()
    with pytest.raises(RefusedByRemoteError):
        runner.template(4, 999)
    assert runner.version() == (2, 18)


def test_an_address_that_nobody_listens_at_sends_nothing() -> None:
    with pytest.raises(NotSentError):
        adapter("http://127.0.0.1:1").start(4, body())
