"""The live runs, with the sandboxes in the place of the real remotes."""

from __future__ import annotations

import io
import json
import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import CommandError, call_command

from opspilot.sandbox.process import SandboxProcess, start_gitlab, start_semaphore
from opspilot.smoke import live, live_task
from opspilot.smoke.witness import witness
from tests.unit.docs.documents import ROOT

PROJECT = 412  # of the sandbox's own seed, as is the host
HOST = "srv-med-01"


@pytest.fixture
def real(tmp_path: Path) -> Any:
    """What the run takes for the real GitLab."""
    sandbox = start_gitlab(data=tmp_path / "gitlab", token=secrets.token_hex(16))
    yield sandbox
    sandbox.stop()


@pytest.fixture
def real_tasks(tmp_path: Path) -> Any:
    """What the run takes for the real Semaphore."""
    sandbox = start_semaphore(data=tmp_path / "semaphore", token=secrets.token_hex(16))
    yield sandbox
    sandbox.stop()


def log_of(real: SandboxProcess) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = httpx.get(f"{real.base_url}/_sandbox/log").json()
    return found


def the_run(
    real: SandboxProcess, name: str, *words: str, record: Path
) -> subprocess.CompletedProcess[str]:
    environ = {f"LIVE_{name}_URL": real.base_url, f"LIVE_{name}_TOKEN": real.token}
    return subprocess.run(
        [sys.executable, "manage.py", "live_smoke", *words, "--record", str(record)],
        cwd=ROOT,
        env=os.environ | environ,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )


@pytest.mark.crash
def test_a_fixed_sample_makes_one_issue_proves_and_closes_it(
    real: SandboxProcess, tmp_path: Path
) -> None:
    """One run, since an instance is started for it (hence with the crash tests); each line of the
    record is a promise."""
    words = ["gitlab", "--project", str(PROJECT), "--i-know-this-creates-an-issue"]
    done = the_run(real, "GITLAB", *words, record=tmp_path / "record.json")
    assert done.returncode == 0, done.stdout + done.stderr
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["steps"] == {step.__name__: True for step in live.STEPS}
    assert (record["issue"]["state"], record["left_open"]) == ("closed", False)
    written = [entry["operation"] for entry in log_of(real) if entry["method"] != "GET"]
    assert written == ["createIssue", "changeIssueState"]
    assert real.token not in done.stdout + (tmp_path / "record.json").read_text()


@pytest.mark.crash
def test_a_fixed_sample_starts_one_task_and_proves_its_host(
    real_tasks: SandboxProcess, tmp_path: Path
) -> None:
    """As above: the sandbox's own log is the witness of what was sent, its recap of what ran."""
    words = ["--project", "4", "--template", "21", "--host", HOST, "--i-know-this-runs-a-task"]
    values = ["--variable", "server_name=fila", "--variable", "server_action=status"]
    record_file = tmp_path / "record.json"
    done = the_run(real_tasks, "SEMAPHORE", "semaphore", *words, *values, record=record_file)
    assert done.returncode == 0, done.stdout + done.stderr
    record = json.loads(record_file.read_text())
    assert record["steps"] == {step.__name__: True for step in live_task.STEPS}
    assert list(record["recap"]) == [HOST]
    assert (record["task"]["status"], record["left_running"]) == ("success", False)
    started = [entry["asked"] for entry in log_of(real_tasks) if entry["method"] != "GET"]
    assert [(asked["template_id"], asked["params"]) for asked in started] == [
        (21, {"limit": [HOST]})
    ]
    assert real_tasks.token not in done.stdout + record_file.read_text()


def test_without_the_word_nothing_is_started(tmp_path: Path) -> None:
    record = str(tmp_path / "record.json")
    with pytest.raises(CommandError, match="i-know-this-creates-an-issue"):
        call_command("live_smoke", "gitlab", "--project", "412", "--record", record)
    assert not (tmp_path / "record.json").exists()


def test_no_sentence_leaves_for_a_model_without_the_word(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    with pytest.raises(CommandError, match="i-know-this-sends-text"):
        call_command("live_smoke", "model", "--record", str(record))
    assert not record.exists()


def test_without_a_real_address_nothing_is_started(tmp_path: Path) -> None:
    record = str(tmp_path / "record.json")
    words = ["--i-know-this-creates-an-issue", "--record", record]
    with pytest.raises(CommandError, match="LIVE_GITLAB_URL"):
        call_command("live_smoke", "gitlab", "--project", "412", *words, stdout=io.StringIO())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--template", "21", "--host", HOST], "i-know-this-runs-a-task"),
        (["--template", "21", "--i-know-this-runs-a-task"], "--host must be said"),
        (["--host", HOST, "--template", "21", "--i-know-this-creates-an-issue"], "runs-a-task"),
        (
            ["--template", "21", "--host", HOST, "--i-know-this-runs-a-task", "--variable", "x"],
            "NAME=VALUE",
        ),
    ],
)
def test_a_task_of_a_live_run_is_named_whole_before_anything_is_started(
    tmp_path: Path, words: list[str], said: str
) -> None:
    record = tmp_path / "record.json"
    line = ["live_smoke", "semaphore", "--project", "4", *words, "--record", str(record)]
    with pytest.raises(CommandError, match=said):
        call_command(*line)
    assert not record.exists()


def test_what_goes_by_the_witness_reaches_the_remote_and_is_kept(real: SandboxProcess) -> None:
    with witness(upstream=real.base_url, token=real.token) as between:
        headers = {"Authorization": f"Bearer {between.token}"}
        answer = httpx.get(f"{between.url}/api/v4/projects/{PROJECT}", headers=headers)
        seen = [(entry["method"], entry["status"]) for entry in between.requests()]
    assert answer.json()["id"] == PROJECT
    assert seen == [("GET", 200)]
    assert [entry["operation"] for entry in log_of(real)] == ["getProject"]


def test_nobody_passes_the_witness_without_its_token(real: SandboxProcess) -> None:
    with witness(upstream=real.base_url, token=real.token) as between:
        answer = httpx.get(f"{between.url}/api/v4/user", headers={"Authorization": "Bearer x"})
    assert answer.status_code == 401
    assert log_of(real) == []


def test_an_answer_that_does_not_come_is_kept_as_none(tmp_path: Path) -> None:
    with witness(upstream="http://127.0.0.1:1", token="x") as between:
        headers = {"Authorization": f"Bearer {between.token}"}
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(f"{between.url}/api/v4/user", headers=headers)
        assert [entry["status"] for entry in between.requests()] == [0]
