"""One number in three places, and each version with the commit its validation ran on."""

from __future__ import annotations

import re
import subprocess
import tomllib

import pytest

from tests.unit.docs.documents import DOCS, ROOT

RELEASES = (DOCS / "reference" / "releases.md").read_text(encoding="utf-8")
CHANGELOG = (DOCS / "changelog.md").read_text(encoding="utf-8")
HEAD = re.compile(r"^## (.+)$", re.MULTILINE)
SECTIONS = dict(zip(HEAD.findall(RELEASES), HEAD.split(RELEASES)[2::2], strict=True))
NUMBER = re.compile(r"\d+\.\d+\.\d+")
CHECKS = ("manage.py test", "manage.py smoke --json", "cold_start.py", "crash")


def test_the_newest_release_is_the_version_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert next(iter(SECTIONS)) == project["version"]


def test_the_changelog_has_the_same_versions_and_at_most_what_is_unreleased_above_them() -> None:
    heads = HEAD.findall(CHANGELOG)
    assert heads[:1] == ["Unreleased"] or heads[:1] == [*SECTIONS][:1]
    assert [head for head in heads if head != "Unreleased"] == [*SECTIONS]


def test_each_version_is_a_number_and_newer_than_the_one_below() -> None:
    assert [head for head in SECTIONS if not NUMBER.fullmatch(head)] == []
    numbers = [tuple(map(int, head.split("."))) for head in SECTIONS]
    assert numbers == sorted(numbers, reverse=True)


@pytest.mark.parametrize("version", SECTIONS)
def test_a_version_names_a_commit_that_is_there(version: str) -> None:
    commit = re.search(r"Commit `([0-9a-f]{7,40})`", SECTIONS[version])
    assert commit
    done = subprocess.run(
        ["git", "cat-file", "-e", f"{commit[1]}^{{commit}}"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("version", SECTIONS)
@pytest.mark.parametrize("check", CHECKS)
def test_a_version_has_each_check_of_its_validation_with_a_figure(version: str, check: str) -> None:
    row = re.search(rf"^\| .*{re.escape(check)}.* \| (.+) \|$", SECTIONS[version], re.MULTILINE)
    assert row
    assert re.search(r"\d", row[1])
