"""The shape of the project, held by tests: migrations, templates, directions, sizes, vocabulary."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from django.template import engines
from django.utils import translation

from audit.vocabulary import ACTIONS

ROOT = Path(__file__).parents[2]
SOURCE = ("opspilot", "audit", "grounding", "approvals")
MAX_LINES = 400
# Registered before the code that writes them: a name is reserved here, and nowhere else.
RESERVED: set[str] = set()


def python_files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def template_names() -> list[str]:
    folder = ROOT / "templates"
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))


def test_the_models_have_no_change_without_a_migration() -> None:
    loader = MigrationLoader(None)
    with translation.override(None):  # as `makemigrations` does: names are compared, not words
        detector = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps))
        changes = detector.changes(graph=loader.graph)
    ours = {config.label for config in apps.get_app_configs() if config.name.startswith(SOURCE)}
    assert {label: ops for label, ops in changes.items() if label in ours} == {}


@pytest.mark.parametrize("name", template_names())
def test_every_template_compiles(name: str) -> None:
    engines["django"].get_template(name)


def test_the_import_contracts_hold() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("folder", [*SOURCE, "tests", "templates", "docs"])
def test_no_file_is_longer_than_a_person_reads(folder: str) -> None:
    suffixes = {".py", ".html", ".sql", ".md"}
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    assert files
    lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in files}
    assert {path: lines for path, lines in lengths.items() if lines > MAX_LINES} == {}


def written_actions() -> set[str]:
    """Names of registered actions that stand as text somewhere in the code, the register apart."""
    texts = (
        path.read_text()
        for path in python_files(*SOURCE)
        if "migrations" not in path.parts and path.name != "vocabulary.py"
    )
    literals = {found for text in texts for found in re.findall(r'"([a-z]+\.[a-z]+)"', text)}
    return literals & ACTIONS.keys()


def test_every_registered_action_is_used_or_reserved() -> None:
    """What agents carry out is named by a company's policy, never by the code."""
    external = {name for name, action in ACTIONS.items() if action.external}
    assert ACTIONS.keys() - written_actions() - external == RESERVED
    assert not external & written_actions()


def test_every_action_says_its_purpose_and_its_legal_basis() -> None:
    assert [a.name for a in ACTIONS.values() if not (str(a.purpose) and str(a.legal_basis))] == []


def test_every_module_postpones_the_evaluation_of_annotations() -> None:
    line = "from __future__ import annotations"
    bare = [
        path.relative_to(ROOT)
        for path in python_files(*SOURCE, "tests")
        if (text := path.read_text()).strip()
        and "import" in text
        and "migrations" not in path.parts
        and line not in text
    ]
    assert bare == []
