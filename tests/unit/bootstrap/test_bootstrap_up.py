from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from opspilot.bootstrap import postgres, postmaster
from opspilot.bootstrap.datadir import DataDir
from opspilot.bootstrap.files import read_json, write_atomically
from opspilot.bootstrap.identity import PROC, command_line
from opspilot.bootstrap.network import free_port
from opspilot.bootstrap.probe import http_status
from tests.unit.bootstrap.launched import Project, Up, kill, lives, wait_for

CHILDREN = ("web", "worker", "sandbox", "semaphore")


@pytest.fixture(scope="module")
def running(project: Project, module_folder: Path) -> Iterator[Up]:
    console = project.up(module_folder / "data", port=free_port())
    yield console.wait_ready()
    console.end()
    postgres.remove(module_folder / "data")


def seen(console: Up, step: str) -> dict[str, str]:
    return read_json(console.data.root / f"seen-{step}.json")


def test_each_stage_says_its_seconds(running: Up) -> None:
    lines = re.findall(r"^  (\S.{14}) .* (\d+\.\d) s$", running.said, re.MULTILINE)
    assert [name.strip() for name, _ in lines] == [
        "environment", "database", "roles", "migrations", "translations", "partitions",
        "demo data", "sandbox GitLab", "sandbox tasks", "worker", "web",
    ]  # fmt: skip


def test_the_last_block_names_the_address_the_users_and_their_password(running: Up) -> None:
    end = running.said.partition("\nOpsPilot ")[2]
    assert f"http://127.0.0.1:{running.port}/" in end
    assert "operador1" in end
    assert read_json(running.data.secrets_file)["demo_password"] in end


def test_the_console_answers(running: Up) -> None:
    # Another test may just have killed the web server: it is started again.
    wait_for(lambda: http_status(f"http://127.0.0.1:{running.port}/livez") == 200)


def test_only_the_migrate_step_is_given_the_owners_url(running: Up) -> None:
    holders = [
        name
        for name in ("migrate", "partitions", "seed", "worker")
        if "DATABASE_URL_OWNER" in seen(running, name)
    ]
    assert holders == ["migrate"]


@pytest.mark.parametrize(
    ("process", "expected"),
    [
        ("web", {"DATABASE_URL", "DATABASE_URL_READER"}),
        ("worker", {"DATABASE_URL", "DATABASE_URL_READER", "DATABASE_URL_MAINTENANCE"}),
        ("sandbox", set()),
        ("semaphore", set()),
    ],
)
def test_each_process_is_given_only_its_own_roles(
    running: Up, process: str, expected: set[str]
) -> None:
    raw = (PROC / str(running.pid(process)) / "environ").read_bytes().split(b"\0")
    names = {entry.partition(b"=")[0].decode() for entry in raw}
    assert {name for name in names if name.startswith("DATABASE_")} == expected


def test_no_secret_is_on_the_command_line_of_any_process(running: Up) -> None:
    pids = [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]
    words = [word for pid in pids for word in command_line(pid)]
    secrets = read_json(running.data.secrets_file).values()
    assert not [word for word in words for secret in secrets if secret in word]


def test_a_second_up_on_the_same_folder_is_refused_and_changes_nothing(
    running: Up, project: Project
) -> None:
    before = snapshot(running.data.root)
    done = project.run("up", "--port", str(free_port()), "--data-dir", str(running.data.root))
    assert done.returncode == 2
    assert f"process {running.process.pid}" in done.stderr
    assert snapshot(running.data.root) == before


def await_answer(port: int) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise AssertionError(f"nothing listens on port {port}")


def test_a_busy_port_is_said_before_anything_is_made(
    running: Up, project: Project, tmp_path: Path
) -> None:
    await_answer(running.port)  # a child that an earlier test killed may still be on its way
    done = project.run("up", "--port", str(running.port), "--data-dir", str(tmp_path / "data"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"Port {running.port} on 127.0.0.1 is in use")
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("role", postgres.ROLES)
def test_dsn_prints_a_url_that_works(running: Up, project: Project, role: str) -> None:
    done = project.run("dsn", "--role", role, "--data-dir", str(running.data.root), "--json")
    url = json.loads(done.stdout.splitlines()[-1])["url"]
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_user").fetchone()
    assert row == (f"opspilot_{role}",)


def test_a_command_beside_up_uses_its_database_and_leaves_it_running(
    running: Up, project: Project
) -> None:
    done = project.run("word", "beside", OPSPILOT_DATA_DIR=str(running.data.root))
    assert "beside" in done.stdout
    assert postgres.running(running.data.root) is not None


def test_a_command_beside_up_is_given_the_instances_own_keys(running: Up, project: Project) -> None:
    project.run("word", "keys", OPSPILOT_DATA_DIR=str(running.data.root))
    ours, theirs = seen(running, "word"), seen(running, "worker")
    assert ours["OPSPILOT_HMAC_KEY"] == theirs["OPSPILOT_HMAC_KEY"]
    assert ours["OPSPILOT_GITLAB_URL"] == theirs["OPSPILOT_GITLAB_URL"]


@pytest.mark.parametrize("name", CHILDREN)
def test_only_the_worker_is_given_the_key_of_the_seal(running: Up, name: str) -> None:
    surroundings = Path(f"/proc/{running.pid(name)}/environ").read_bytes()
    assert (b"OPSPILOT_SEAL_KEY" in surroundings) == (name == "worker")


@pytest.mark.parametrize("name", CHILDREN)
def test_a_killed_child_is_started_again(running: Up, name: str) -> None:
    before = running.pid(name)
    kill(before)
    wait_for(lambda: running.pid(name) != before and lives(running.pid(name)))
    assert f"{name} ended (signal 9); starts again in" in running.said


def test_a_killed_database_is_started_again_on_its_port(running: Up) -> None:
    server = postgres.running(running.data.root)
    assert server is not None
    found = postmaster.alive(server.cluster_dir)
    assert found is not None
    kill(found.pid)
    wait_for(lambda: postgres.running(running.data.root) is not None)
    assert postgres.running(running.data.root) == server


def test_ctrl_c_stops_everything_and_the_next_run_keeps_the_rows(
    project: Project, data_dir: Path
) -> None:
    first = project.up(data_dir, "--no-demo", port=free_port()).wait_ready()
    project.run("word", "kept", OPSPILOT_DATA_DIR=str(data_dir))
    pids = [first.pid(name) for name in CHILDREN]
    assert first.end() == 0
    assert first.said.endswith("OpsPilot stopped.\n")
    assert not [pid for pid in pids if lives(pid)]
    assert postgres.running(data_dir) is None
    # The command brings the database back for itself alone.
    done = project.run("word", "later", OPSPILOT_DATA_DIR=str(data_dir))
    assert done.stdout == "kept later\n"
    assert postgres.running(data_dir) is None


def test_after_a_kill_of_up_the_next_one_takes_over(project: Project, data_dir: Path) -> None:
    first = project.up(data_dir, "--no-demo", port=free_port()).wait_ready()
    left = [first.pid(name) for name in CHILDREN]
    server = postgres.running(data_dir)
    kill(first.process.pid)
    first.process.wait()
    second = project.up(data_dir, "--no-demo", port=first.port).wait_ready()
    assert not [pid for pid in left if lives(pid)]
    assert postgres.running(data_dir) == server
    assert second.end(signal.SIGTERM) == 0


def test_a_process_that_got_the_pid_of_a_dead_child_is_not_ended(
    project: Project, data_dir: Path
) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        note = {"pid": other.pid, "born": "another boot:1", "port": None}
        (data_dir / "run").mkdir(parents=True)
        write_atomically(DataDir(data_dir).pid_file("worker"), json.dumps(note))
        project.up(data_dir, "--no-demo", port=free_port()).wait_ready().end()
        assert other.poll() is None
        other.kill()


def test_a_failing_step_shows_its_last_lines_and_leaves_nothing_running(
    project: Project, data_dir: Path
) -> None:
    port = str(free_port())
    done = project.run("up", "--port", port, "--data-dir", str(data_dir), STANDIN_FAILS="migrate")
    assert done.returncode == 1
    assert "the reason is in the last line" in done.stderr
    assert "logs/migrate.log" in done.stderr
    assert postgres.running(data_dir) is None


def test_a_server_of_ones_own_needs_every_role(project: Project, tmp_path: Path) -> None:
    url = "postgresql://opspilot_app:x@127.0.0.1:1/opspilot"
    done = project.run("up", "--port", "0", "--data-dir", str(tmp_path / "data"), DATABASE_URL=url)
    assert done.returncode == 1
    for name in ("READER", "MAINTENANCE", "OWNER"):
        assert f"DATABASE_URL_{name}" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_dsn_starts_nothing(project: Project, tmp_path: Path) -> None:
    done = project.run("dsn", "--role", "app", "--data-dir", str(tmp_path / "data"))
    assert done.returncode == 1
    assert "No embedded server is running" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_help_needs_no_database(project: Project, tmp_path: Path) -> None:
    done = project.run("help", OPSPILOT_DATA_DIR=str(tmp_path / "data"))
    assert "compile_translations" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_up_beside_a_strangers_listener_chooses_another_port(
    project: Project, data_dir: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        taken = stranger.getsockname()[1]
        data_dir.mkdir(mode=0o711)
        write_atomically(data_dir / "state.json", json.dumps({"postgres_port": taken}))
        server = postgres.start(data_dir, durable=False)
    assert server.port != taken


def snapshot(folder: Path) -> dict[str, float]:
    """Of what the running instance does not itself keep writing."""
    steady = [path for path in folder.rglob("*") if not path.is_relative_to(folder / "postgres")]
    return {str(path): path.stat().st_mtime for path in steady if path.suffix != ".log"}
