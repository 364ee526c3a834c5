from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psycopg
import pytest

from opspilot.bootstrap import postgres, postmaster
from opspilot.bootstrap.datadir import DataDir, remember
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.files import read_json
from opspilot.bootstrap.identity import PROC, command_line
from opspilot.bootstrap.postgres import Server
from opspilot.bootstrap.psql import run_sql
from tests.unit.bootstrap.standin import ROOT

START = (
    "import sys, pathlib; from opspilot.bootstrap import postgres;"
    "print(postgres.start(pathlib.Path(sys.argv[1]), durable=False).port)"
)


def ask(server: Server, sql: str) -> object:
    with psycopg.connect(postgres.admin_dsn(server)) as connection:
        row = connection.execute(sql.encode()).fetchone()
    return row[0] if row else None


def keep_a_row(server: Server) -> None:
    with psycopg.connect(postgres.admin_dsn(server)) as connection:
        connection.execute("DROP TABLE IF EXISTS kept")
        connection.execute("CREATE TABLE kept AS SELECT 'still here' AS word")


def pid_of(server: Server) -> int:
    found = postmaster.alive(server.cluster_dir)
    assert found is not None
    return found.pid


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("data_checksums", "on"),
        ("listen_addresses", "127.0.0.1"),
        ("unix_socket_directories", ""),
        ("log_statement", "none"),
    ],
)
def test_the_server_is_set_up_as_promised(prepared: Server, setting: str, expected: str) -> None:
    assert ask(prepared, f"SHOW {setting}") == expected


def test_text_is_compared_by_the_builtin_unicode_rules(prepared: Server) -> None:
    assert ask(prepared, "SELECT lower('ÁÇÃO')") == "áção"


def test_every_connection_needs_a_scram_password(prepared: Server) -> None:
    rules = "SELECT array_agg(DISTINCT auth_method) FROM pg_hba_file_rules"
    assert ask(prepared, rules) == ["scram-sha-256"]


def test_the_server_does_not_run_as_root(prepared: Server) -> None:
    assert (PROC / str(pid_of(prepared))).stat().st_uid != 0


def test_a_wrong_password_is_refused(prepared: Server) -> None:
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(f"postgresql://opspilot_app:wrong@127.0.0.1:{prepared.port}/opspilot")


@pytest.mark.parametrize("role", postgres.ROLES)
def test_each_role_gets_in_with_its_own_url(prepared: Server, role: str) -> None:
    with psycopg.connect(postgres.dsn(prepared, role)) as connection:
        row = connection.execute("SELECT current_user").fetchone()
    assert row == (f"opspilot_{role}",)


@pytest.mark.parametrize("role", ["app", "reader", "maintenance", "owner"])
def test_no_role_that_serves_can_step_over_row_level_security(prepared: Server, role: str) -> None:
    with psycopg.connect(postgres.dsn(prepared, role)) as connection:
        rights = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
        row = connection.execute(rights).fetchone()
    assert row == (False,)


def test_making_the_roles_twice_is_harmless(prepared: Server) -> None:
    before = ask(prepared, "SELECT count(*) FROM pg_roles")
    postgres.prepare(prepared)
    assert ask(prepared, "SELECT count(*) FROM pg_roles") == before


def test_a_second_start_finds_the_first_server(prepared: Server) -> None:
    assert postgres.start(prepared.data_dir, durable=False) == prepared


def test_only_the_owner_of_the_folder_can_read_its_secrets(prepared: Server) -> None:
    assert (prepared.data_dir / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_a_restart_keeps_rows_and_port(own_dir: Path) -> None:
    server = postgres.start(own_dir, durable=False)
    postgres.prepare(server)
    keep_a_row(server)
    postgres.stop(server)
    assert postgres.running(own_dir) is None
    again = postgres.start(own_dir, durable=False)
    assert ask(again, "SELECT word FROM kept") == "still here"
    assert again.port == server.port


def test_a_killed_server_comes_back_with_its_rows(own_dir: Path) -> None:
    server = postgres.start(own_dir, durable=False)
    postgres.prepare(server)
    keep_a_row(server)
    with psycopg.connect(postgres.admin_dsn(server)):  # a session that has to notice
        os.kill(pid_of(server), signal.SIGKILL)
        again = postgres.start(own_dir, durable=False)
    assert ask(again, "SELECT word FROM kept") == "still here"


def test_four_starts_at_once_make_one_server(data_dir: Path) -> None:
    command = [sys.executable, "-c", START, str(data_dir)]
    starts = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    ports = {start.communicate(timeout=60)[0].strip() for start in starts}
    server = postgres.running(data_dir)
    assert server is not None
    assert ports == {str(server.port)}
    ours = [pid for pid in living() if command_line(pid)[1:3] == ["-D", str(server.cluster_dir)]]
    assert len(ours) == 1


def test_a_server_outlives_a_starter_that_is_killed(data_dir: Path) -> None:
    wait = f"{START}; sys.stdout.flush(); import time; time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", wait, str(data_dir)], cwd=ROOT, stdout=subprocess.PIPE
    ) as starter:
        assert starter.stdout is not None
        port = int(starter.stdout.readline())
        starter.kill()
    server = postgres.running(data_dir)
    assert server is not None
    assert server.port == port


def test_a_strangers_server_is_not_taken_for_ours(prepared: Server, own_dir: Path) -> None:
    ours = postgres.start(own_dir, durable=False)
    postgres.stop(ours)
    lines = (prepared.cluster_dir / "postmaster.pid").read_text()
    (ours.cluster_dir / "postmaster.pid").write_text(lines)
    remember(DataDir(own_dir), "postgres_port", prepared.port)
    assert postgres.running(own_dir) is None
    again = postgres.start(own_dir, durable=False)
    assert again.port != prepared.port
    assert ask_directory(again) == str(ours.cluster_dir)


def ask_directory(server: Server) -> str:
    return run_sql("SHOW data_directory", postgres.superuser(server))


def test_a_server_with_another_password_does_not_prove_to_be_ours(
    prepared: Server, own_dir: Path
) -> None:
    server = postgres.start(own_dir, durable=False)
    impostor = Server(prepared.port, server.data_dir, server.cluster_dir)
    with pytest.raises(BootstrapError, match="does not accept this instance's password"):
        ask_directory(impostor)


def test_a_pid_that_now_belongs_to_another_process_is_left_alone(own_dir: Path) -> None:
    server = postgres.start(own_dir, durable=False)
    pid_file = server.cluster_dir / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    postgres.stop(server)
    with subprocess.Popen(["sleep", "60"]) as other:
        pid_file.write_text("\n".join([str(other.pid), *lines[1:]]) + "\n")
        postgres.stop(server)
        again = postgres.start(own_dir, durable=False)
        assert other.poll() is None
        other.kill()
    assert postgres.running(own_dir) == again


def test_a_first_start_that_was_cut_short_is_made_anew(data_dir: Path) -> None:
    (data_dir / "postgres.new" / "base").mkdir(parents=True)
    (data_dir / ".password").write_text("left behind")
    data_dir.chmod(0o711)
    server = postgres.start(data_dir, durable=False)
    assert postgres.running(data_dir) == server
    assert not (data_dir / ".password").exists()


def test_a_database_whose_passwords_are_lost_is_not_replaced(own_dir: Path) -> None:
    server = postgres.start(own_dir, durable=False)
    postgres.stop(server)
    lost = (own_dir / "secrets.json").rename(own_dir / "lost.json")
    with pytest.raises(BootstrapError, match=r"put that file back"):
        postgres.start(own_dir, durable=False)
    lost.rename(own_dir / "secrets.json")
    assert postgres.start(own_dir, durable=False).cluster_dir == server.cluster_dir


def test_the_last_of_two_users_stops_the_server(own_dir: Path) -> None:
    with postgres.in_use(own_dir):
        with postgres.in_use(own_dir):
            pass
        assert postgres.running(own_dir) is not None
    assert postgres.running(own_dir) is None


def test_no_password_appears_on_any_command_line(data_dir: Path) -> None:
    seen: set[str] = set()
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.002):
            seen.update(word for pid in living() for word in command_line(pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    postgres.prepare(postgres.start(data_dir, durable=False))
    done.set()
    watcher.join()
    assert any(Path(word).name == "psql" for word in seen)  # the watcher did look
    passwords = read_json(data_dir / "secrets.json").values()
    assert not [word for word in seen for password in passwords if password in word]


def test_no_password_is_in_the_servers_log(prepared: Server) -> None:
    log = (prepared.data_dir / "logs" / "postgres.log").read_text()
    assert not [
        value for value in read_json(prepared.data_dir / "secrets.json").values() if value in log
    ]


def living() -> list[int]:
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]
