from __future__ import annotations

import ast
import base64
import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.unit.bootstrap.launched import PYTHON, Project, lives
from tests.unit.bootstrap.standin import ROOT, write_project

ENSURE = (
    "import sys; from opspilot.bootstrap import commands, environment\n"
    "def go():\n"
    "    try: print(environment.ensure(sys.argv[1]).python)\n"
    "    except commands.BootstrapError as error: return commands.report(error)\n"
    "sys.exit(go())"
)


@pytest.fixture(scope="module")
def checkout(module_folder: Path) -> Project:
    """Whose lock names one package, on this machine: no network is needed."""
    made = write_project(module_folder / "project")
    wheel = write_wheel(module_folder)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    write_lock(made, wheel, digest)
    return Project(made, module_folder / "venv")


def write_wheel(folder: Path) -> Path:
    files = {
        "tiny.py": "",
        "tiny-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
        "tiny-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},{record_hash(text)},{len(text)}\n" for name, text in files.items())
    path = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        archive.writestr("tiny-1.0.dist-info/RECORD", f"{record}tiny-1.0.dist-info/RECORD,,\n")
    return path


def record_hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def write_lock(project: Path, wheel: Path, digest: str) -> None:
    line = f"tiny @ {wheel.as_uri()} --hash=sha256:{digest}\n"
    (project / "requirements.lock").write_text(line, encoding="utf-8")


def begin(checkout: Project, **extra: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [PYTHON, "-c", ENSURE, "run"],
        cwd=checkout.folder,
        env=checkout.environ(**extra),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ensure(checkout: Project, **extra: str) -> tuple[int, str]:
    process = begin(checkout, **extra)
    output, _ = process.communicate(timeout=90)
    return process.returncode, output


def stamp(checkout: Project) -> Path:
    return checkout.venv / "opspilot-stamp.json"


@pytest.fixture(scope="module")
def installed(checkout: Project) -> list[str]:
    """What two commands that found no environment have said."""
    both = [begin(checkout) for _ in range(2)]
    outputs = [each.communicate(timeout=90)[0] for each in both]
    assert [each.returncode for each in both] == [0, 0], outputs
    return outputs


def test_of_two_commands_at_once_one_installs(installed: list[str]) -> None:
    assert sum("installing the packages" in output for output in installed) == 1


def test_the_package_of_the_lock_is_there(checkout: Project, installed: list[str]) -> None:
    done = subprocess.run([checkout.venv / "bin" / "python", "-c", "import tiny"], check=False)
    assert done.returncode == 0


def test_the_stamp_names_the_lock_and_the_python(checkout: Project, installed: list[str]) -> None:
    content = json.loads(stamp(checkout).read_text())
    lock = (checkout.folder / "requirements.lock").read_bytes()
    assert content["lock"] == hashlib.sha256(lock).hexdigest()
    assert content["python"] == sys.version.split()[0]


def test_a_matching_stamp_means_nothing_is_done(checkout: Project, installed: list[str]) -> None:
    before = stamp(checkout).stat().st_mtime_ns
    assert ensure(checkout) == (0, f"{checkout.venv / 'bin' / 'python'}\n")
    assert stamp(checkout).stat().st_mtime_ns == before


def test_an_interrupted_installation_is_done_again_from_nothing(
    checkout: Project, installed: list[str]
) -> None:
    """And a wrong hash is said, not installed, and does not stay in the way."""
    lock = (checkout.folder / "requirements.lock").read_text()
    (checkout.folder / "requirements.lock").write_text(
        lock.replace("sha256:", "sha256:0")[:-2] + "\n"
    )
    code, output = ensure(checkout)
    assert code == 1
    assert not stamp(checkout).exists()
    assert "HASH" in output.upper()
    (checkout.folder / "requirements.lock").write_text(lock)
    (checkout.venv / "half").mkdir()
    assert ensure(checkout)[0] == 0
    assert stamp(checkout).exists()
    assert not (checkout.venv / "half").exists()


def test_uv_is_used_when_it_is_on_path(checkout: Project, tmp_path: Path) -> None:
    uv = tmp_path / "bin" / "uv"
    uv.parent.mkdir()
    uv.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n'
        f'[ "$1" = venv ] && {PYTHON} -m venv --without-pip {tmp_path}/venv\nexit 0\n'
    )
    uv.chmod(0o755)
    venv = {"OPSPILOT_VENV": str(tmp_path / "venv"), "PATH": str(uv.parent) + ":/usr/bin:/bin"}
    assert ensure(checkout, **venv)[0] == 0
    lines = (tmp_path / "asked").read_text().splitlines()
    assert [line.split()[0] for line in lines] == ["venv", "pip"]
    assert "--require-hashes" in lines[1]


def test_a_folder_that_is_no_environment_is_left_alone(checkout: Project, tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine")
    assert ensure(checkout, OPSPILOT_VENV=str(tmp_path))[0] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]


def test_a_place_that_cannot_be_written_is_said(checkout: Project) -> None:
    code, output = ensure(checkout, OPSPILOT_VENV="/dev/null/venv")
    assert code == 1
    assert output.startswith("The environment in /dev/null/venv cannot be written")
    assert "Traceback" not in output


def test_manage_py_can_be_read_by_an_old_python() -> None:
    ast.parse((ROOT / "manage.py").read_text(encoding="utf-8"), feature_version=(3, 4))


def test_an_old_python_is_told_so_in_one_sentence() -> None:
    pretend = "import sys, runpy; sys.version_info = (3, 9, 2); runpy.run_path('manage.py', run_name='__main__')"
    done = subprocess.run(
        [PYTHON, "-c", pretend], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "OpsPilot needs Python 3.11 or newer; this is Python 3.9.2.\n"


def test_what_runs_first_needs_only_the_standard_library() -> None:
    question = (
        "import sys; before = set(sys.modules); import opspilot.bootstrap.commands;"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "print(*sorted(new - sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [PYTHON, "-c", question], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "opspilot\n"


def test_test_runs_pytest_on_a_throw_away_database_and_ends_with_its_code(project: Project) -> None:
    arguments = ("-c", "/dev/null", "-p", "no:django", "-q", "-s", "checks")
    done = project.run("test", *arguments, OPSPILOT_BROWSER="/bin/true", FAIL="test_that_fails")
    assert "1 failed, 6 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 1
    folder = Path(done.stdout.partition("folder: ")[2].split()[0])
    assert not folder.exists()


def test_an_instance_of_ones_own_can_be_started_and_its_children_restarted(
    project: Project, data_dir: Path
) -> None:
    script = """
import os, pathlib, signal, sys
from opspilot.bootstrap.instance import instance
from opspilot.bootstrap.probe import http_status
with instance(pathlib.Path(sys.argv[1])) as console:
    first = console.children["web"].pid
    os.kill(first, signal.SIGKILL)
    second = console.restart("web").pid
    assert second not in (0, first)
    assert http_status(console.url + "/livez") == 200
    assert "DATABASE_URL_OWNER" not in console.env
    assert console.env["DATABASE_URL"].endswith(f":{console.server.port}/opspilot")
    assert console.env["DJANGO_SETTINGS_MODULE"] == "opspilot.settings.local"
    print(console.users[0].username, *[child.pid for child in console.children.values()])
"""
    done = subprocess.run(
        [project.venv / "bin" / "python", "-c", script, str(data_dir)],
        cwd=project.folder,
        env=project.environ(DATABASE_URL="postgresql://elsewhere/", DJANGO_SETTINGS_MODULE="none"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    username, *pids = done.stdout.split()
    assert username == "operador1"
    assert len(pids) == 4
    assert not [pid for pid in pids if lives(int(pid))]
