"""The process: its store outlives it, its queue does not; its page shows all and runs nothing."""

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
from tests.unit.sandbox.semaphore.calls import TASKS, TOKEN, Row, body, until

Start = Callable[..., SandboxProcess]
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def post(process: SandboxProcess, asked: Row) -> Row:
    answer = httpx.post(f"{process.base_url}/api{TASKS}", json=asked, headers=HEADERS)
    row: Row = answer.raise_for_status().json()
    return row


def status(process: SandboxProcess, task_id: int) -> str:
    url = f"{process.base_url}/api{TASKS}/{task_id}"
    return str(httpx.get(url, headers=HEADERS).json()["status"])


def configure(process: SandboxProcess, **wanted: object) -> None:
    httpx.post(f"{process.base_url}/_sandbox/config", json=wanted).raise_for_status()


def test_after_a_restart_what_waited_is_never_picked_up(tmp_path: Path, start: Start) -> None:
    first = start(tmp_path)
    configure(first, start_delay=600)
    task_id = post(first, body())["id"]
    first.kill()
    second = start(tmp_path)
    configure(second, start_delay=0)
    newer = post(second, body(marker="opk-2"))["id"]
    until(lambda: status(second, newer) == "success")
    assert status(second, task_id) == "waiting"


def test_after_a_restart_what_ran_stays_running(tmp_path: Path, start: Start) -> None:
    first = start(tmp_path)
    order = {"kind": "play", "play": "stuck_running"}
    httpx.post(f"{first.base_url}/_sandbox/faults", json=[order])
    task_id = post(first, body())["id"]
    until(lambda: status(first, task_id) == "running")
    first.kill()
    assert status(start(tmp_path), task_id) == "running"


def test_a_stop_of_a_task_that_nobody_holds_only_marks_it(tmp_path: Path, start: Start) -> None:
    first = start(tmp_path)
    configure(first, start_delay=600)
    task_id = post(first, body())["id"]
    first.kill()
    second = start(tmp_path)
    url = f"{second.base_url}/api{TASKS}/{task_id}/stop"
    assert httpx.post(url, json={"force": False}, headers=HEADERS).status_code == 204
    assert status(second, task_id) == "stopped"


def test_the_clock_goes_on_where_it_was_after_a_restart(tmp_path: Path, start: Start) -> None:
    first = start(tmp_path)
    httpx.post(f"{first.base_url}/_sandbox/clock", json={"advance": 86_400})
    before = httpx.get(f"{first.base_url}/_sandbox/clock").json()["now"]
    first.kill()
    second = start(tmp_path)
    assert httpx.get(f"{second.base_url}/_sandbox/clock").json()["now"] >= before


def test_a_new_folder_is_of_the_version_that_was_asked_for(tmp_path: Path, start: Start) -> None:
    process = start(tmp_path, version="2.12.14")
    info = httpx.get(f"{process.base_url}/api/info", headers=HEADERS).json()
    assert info["version"] == "2.12.14"


def test_the_log_file_has_the_request_when_the_answer_arrives(tmp_path: Path, start: Start) -> None:
    process = start(tmp_path)
    task_id = post(process, body(["host-2"]))["id"]
    process.kill()
    line = (tmp_path / "requests.log").read_text(encoding="utf-8").splitlines()[-1]
    entry = json.loads(line)
    assert (entry["task_id"], entry["marker"]) == (task_id, "opk-1")
    assert entry["asked"]["params"] == {"limit": ["host-2"]}


def test_neither_the_token_nor_a_value_is_in_the_log(tmp_path: Path, start: Start) -> None:
    process = start(tmp_path)
    post(process, body(variables={"motivo": "valor-de-uma-variavel"}))
    process.stop()
    assert all(TOKEN.encode() not in p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert b"valor-de-uma-variavel" not in (tmp_path / "requests.log").read_bytes()


def test_it_ends_cleanly_when_asked_even_amid_a_wait(tmp_path: Path, start: Start) -> None:
    process = start(tmp_path)
    fault = {"kind": "hang_before", "method": "GET", "seconds": 600}
    httpx.post(f"{process.base_url}/_sandbox/faults", json=[fault])
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(f"{process.base_url}/api/user", headers=HEADERS, timeout=0.2)
    assert process.stop() == 0


def test_it_does_not_start_without_a_token(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "opspilot.sandbox.semaphore", "--port", "0"]
    environment = {key: value for key, value in os.environ.items() if "TOKEN" not in key}
    ended = subprocess.run(
        [*command, "--data", str(tmp_path)], env=environment, capture_output=True, text=True
    )
    assert (ended.returncode, "a token is needed" in ended.stderr) == (2, True)


def test_without_ansible_it_plays_the_tasks_and_says_so(tmp_path: Path) -> None:
    code = (
        "from opspilot.sandbox.semaphore import players;"
        "players.find_program = lambda: None;"
        "from opspilot.sandbox.semaphore import __main__ as main;"
        "import os, signal, threading;"
        "threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGTERM]).start();"
        f"main.main(['--port', '0', '--data', {str(tmp_path)!r}, '--token', 'abc'])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert (ended.returncode, "tasks are played" in ended.stderr) == (0, True)


def test_a_task_s_address_shows_it_as_inert_text(
    semaphore: SandboxProcess, finish: Callable[[int], Row]
) -> None:
    task_id = post(semaphore, {"template_id": 25, "message": "<script>alert(1)</script>"})["id"]
    finish(task_id)
    page = httpx.get(f"{semaphore.base_url}/project/4/templates/25?t={task_id}")
    assert page.status_code == 200
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
    assert "<script" not in page.text
    assert "PLAY RECAP" in page.text


def test_the_first_page_lists_the_tasks_and_says_nothing_is_real(semaphore: SandboxProcess) -> None:
    post(semaphore, body(["app-01"]))
    page = httpx.get(semaphore.base_url)
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert '<html lang="pt-BR">' in page.text
    assert all(words in page.text for words in ("nada aqui é real", "Operações", "app-01"))


def test_an_unknown_page_is_404(semaphore: SandboxProcess) -> None:
    assert httpx.get(f"{semaphore.base_url}/project/4/templates/25?t=9999").status_code == 404


def test_the_control_door_is_closed_to_pages(door: httpx.Client) -> None:
    assert door.post("/reset", headers={"Origin": "http://example.com"}).status_code == 403
