"""The process: its store outlives it, its page shows everything and runs nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from opspilot.sandbox.process import SandboxProcess

TOKEN = "glsandbox-unit-4f1c"
Start = Callable[..., SandboxProcess]
ISSUE = {"title": "Fila parada", "description": "texto"}


def _post(process: SandboxProcess, issue: dict[str, str] = ISSUE) -> httpx.Response:
    url = f"{process.base_url}/api/v4/projects/412/issues"
    return httpx.post(url, json=issue, headers={"PRIVATE-TOKEN": TOKEN})


def test_issues_and_settings_outlive_a_killed_process(tmp_path: Path, start: Start) -> None:
    first = start(tmp_path)
    httpx.post(f"{first.base_url}/_sandbox/config", json={"tier": "premium"})
    _post(first)
    first.kill()
    second = start(tmp_path)
    issues = httpx.get(f"{second.base_url}/_sandbox/issues").json()
    settings = httpx.get(f"{second.base_url}/_sandbox/config").json()
    iid = _post(second).json()["iid"]
    second.stop()
    assert ([issue["iid"] for issue in issues], iid, settings["tier"]) == ([1], 2, "premium")


def test_the_log_file_has_the_request_when_the_answer_arrives(tmp_path: Path, start: Start) -> None:
    process = start(tmp_path)
    _post(process)
    process.kill()
    lines = (tmp_path / "requests.log").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["issue_iid"] for line in lines] == [1]


def test_the_token_is_in_no_file(tmp_path: Path, start: Start) -> None:
    process = start(tmp_path)
    _post(process)
    process.stop()
    assert all(TOKEN.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_it_ends_cleanly_when_asked_even_amid_a_wait(tmp_path: Path, start: Start) -> None:
    process = start(tmp_path)
    fault = {"kind": "hang_before", "method": "GET", "seconds": 600}
    httpx.post(f"{process.base_url}/_sandbox/faults", json=[fault])
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(f"{process.base_url}/api/v4/user", headers={"PRIVATE-TOKEN": TOKEN}, timeout=0.2)
    assert process.stop() == 0


def test_it_does_not_start_without_a_token(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "opspilot.sandbox.gitlab", "--port", "0"]
    environment = {key: value for key, value in os.environ.items() if "TOKEN" not in key}
    ended = subprocess.run(
        [*command, "--data", str(tmp_path)], env=environment, capture_output=True, text=True
    )
    assert (ended.returncode, "a token is needed" in ended.stderr) == (2, True)


def test_a_seed_file_replaces_the_default_content(tmp_path: Path, start: Start) -> None:
    seed = {
        "bot": {"id": 7, "username": "bot", "name": "bot"},
        "users": [],
        "projects": [{"id": 3, "path": "grupo/unico", "labels": ["x"]}],
    }
    path = tmp_path / "seed.json"
    path.write_text(json.dumps(seed), encoding="utf-8")
    process = start(tmp_path / "data", path)
    url, headers = f"{process.base_url}/api/v4/projects", {"PRIVATE-TOKEN": TOKEN}
    found = [httpx.get(f"{url}/{number}", headers=headers).status_code for number in (3, 412)]
    process.stop()
    assert found == [200, 404]


def test_the_web_url_shows_the_issue_as_inert_text(gitlab: SandboxProcess) -> None:
    hostile = {"title": "<b>x</b>", "description": "<script>alert(1)</script>"}
    page = httpx.get(_post(gitlab, hostile).json()["web_url"])
    assert page.status_code == 200
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
    assert "<script" not in page.text
    assert "<b>" not in page.text


def test_the_page_forbids_scripts_and_frames(gitlab: SandboxProcess) -> None:
    policy = httpx.get(gitlab.base_url).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src" not in policy


def test_the_first_page_lists_projects_and_says_nothing_is_real(gitlab: SandboxProcess) -> None:
    _post(gitlab)
    page = httpx.get(gitlab.base_url).text
    assert '<html lang="pt-BR">' in page
    assert "nada aqui é real" in page
    assert all(name in page for name in ("aurora/infra", "boreal/redes", "Fila parada"))


def test_an_unknown_page_is_404(gitlab: SandboxProcess) -> None:
    assert httpx.get(f"{gitlab.base_url}/aurora/infra/-/issues/9").status_code == 404
