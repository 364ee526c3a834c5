"""The commit hooks and the CI file call what is already here, and nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.docs.documents import ROOT

HOOKS: dict[str, Any] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
CI = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
PRE_COMMIT = Path(sys.executable).with_name("pre-commit")


def hooks() -> list[dict[str, Any]]:
    return [hook for repo in HOOKS["repos"] for hook in repo["hooks"]]


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository whose main has one migration."""
    git(tmp_path, "init", "-q", "-b", "main")
    migration = tmp_path / "approvals" / "migrations" / "0001_initial.py"
    migration.parent.mkdir(parents=True)
    migration.write_text("first = 1\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def landed(clone: Path) -> int:
    """The exit code of the hook that keeps migrations as they are."""
    entry = next(hook["entry"] for hook in hooks() if hook["id"] == "migrations")
    git(clone, "add", "-A")
    return subprocess.run(["bash", "-c", entry], cwd=clone, check=False).returncode


def test_every_hook_is_our_own_and_downloads_nothing() -> None:
    assert {repo["repo"] for repo in HOOKS["repos"]} == {"local"}
    assert {hook["language"] for hook in hooks()} <= {"system", "pygrep", "fail"}


def test_every_tool_of_a_hook_is_in_the_environment() -> None:
    entries = [hook["entry"].split()[0] for hook in hooks() if hook["language"] == "system"]
    tools = {Path(entry).name for entry in entries if entry.startswith(".venv/bin/")}
    assert tools
    assert {tool for tool in tools if not Path(sys.executable).with_name(tool).exists()} == set()


def test_the_commit_hooks_can_be_installed(clone: Path) -> None:
    (clone / ".pre-commit-config.yaml").write_text((ROOT / ".pre-commit-config.yaml").read_text())
    environ = os.environ | {"PRE_COMMIT_HOME": str(clone / "cache")}
    subprocess.run([PRE_COMMIT, "install"], cwd=clone, env=environ, check=True, capture_output=True)
    assert (clone / ".git" / "hooks" / "pre-commit").exists()


def test_a_landed_migration_that_is_edited_is_refused(clone: Path) -> None:
    (clone / "approvals" / "migrations" / "0001_initial.py").write_text("first = 2\n")
    assert landed(clone) != 0


def test_a_new_migration_is_welcome_and_may_be_edited_until_it_lands(clone: Path) -> None:
    git(clone, "checkout", "-qb", "change")
    new = clone / "approvals" / "migrations" / "0002_more.py"
    new.write_text("second = 1\n")
    assert landed(clone) == 0
    git(clone, "commit", "-qm", "second")
    new.write_text("second = 2\n")
    assert landed(clone) == 0


def test_the_ci_file_calls_the_one_list_of_checks_and_adds_none() -> None:
    steps = yaml.safe_load(CI)["jobs"]["run"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == [".ci/run"]


def test_the_actions_are_pinned_by_their_major_version() -> None:
    used = re.findall(r"uses: (\S+)", CI)
    assert used
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []
