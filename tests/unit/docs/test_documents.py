"""What the documents say is there, and nothing of a machine is in them."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import get_commands

from approvals.models import AgenteAprovacao, ExecutionState, State
from audit.models import AgenteAcao
from audit.vocabulary import ACTIONS
from opspilot.bootstrap import postgres

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SETTINGS = ROOT / "opspilot" / "settings"
READERS = {"str", "list", "float", "int", "bool", "path", "json", "url", "dict"}
READERS |= {"parts", "required", "required_list"}
BEFORE_DJANGO = {"up", "test", "dsn", "help"}
NAME = r"[A-Z][A-Z0-9_]{2,}"
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
COMMAND = re.compile(r"manage\.py ([a-z_]+)")
TEXT_FILES = {
    "", ".py", ".md", ".html", ".css", ".js", ".sql", ".toml", ".po", ".json", ".svg", ".sh", ".lock",
    ".example",
}  # fmt: skip
# Put together here, so that this file does not contain what it looks for.
FOLDERS = [f"/{name}/" for name in ("work", "tmp", "root", "home")]
HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]


def short(path: Path) -> str:
    return str(path.relative_to(ROOT))


def settings_names() -> set[str]:
    """Every name that the settings read from the environment, and telemetry's own two."""
    found = set(re.findall(r"OTEL_[A-Z_]+", (ROOT / "opspilot" / "telemetry.py").read_text()))
    for path in SETTINGS.glob("*.py"):
        if path.stem != "test":
            found |= set(_read_by(ast.parse(path.read_text(encoding="utf-8"))))
    return found


def _read_by(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="env"), attr=attribute),
                args=[ast.Constant(value=str(name)), *_],
            ) if attribute in READERS:
                yield name
            case ast.Assign(targets=[ast.Name(id="_DATABASES")], value=ast.Dict(values=values)):
                yield from (v.value for v in values if isinstance(v, ast.Constant))  # type: ignore[misc]


def example_lines() -> list[str]:
    return (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()


def example_names() -> list[str]:
    found = (re.match(rf"#?({NAME})=", line) for line in example_lines())
    return [match[1] for match in found if match and match[1] != "NAME"]


def first_column(path: Path, heading: str) -> set[str]:
    """The names in the first column of the table under a heading."""
    section = path.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    return {name for line in section.splitlines() for name in re.findall(r"^\| `([^`]+)`", line)}


def all_names_in_first_columns(path: Path) -> set[str]:
    rows = [line.split("|")[1] for line in path.read_text("utf-8").splitlines() if line[:1] == "|"]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def tracked() -> list[Path]:
    """The text files of the repository, those too that are not added yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.suffix in TEXT_FILES and path.is_file()]


def test_the_example_names_exactly_what_the_settings_read() -> None:
    assert sorted(example_names()) == sorted(settings_names())


def test_the_settings_page_names_exactly_what_the_settings_read() -> None:
    path = ROOT / "docs" / "reference" / "settings.md"
    assert first_column(path, "Names") == settings_names()


def test_each_name_of_the_example_has_a_comment_above_it() -> None:
    lines = example_lines()
    bare = [
        line
        for above, line in pairwise(lines)
        if re.match(rf"#?{NAME}=", line) and not above.startswith("# ")
    ]
    assert bare == []


def test_the_example_holds_no_secret() -> None:
    secret = re.compile(r"#?[A-Z_]*(KEY|TOKEN|PASSWORD|URL)[A-Z_]*=.+")
    assert [line for line in example_lines() if secret.match(line)] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=short)
def test_each_relative_link_leads_to_a_file(path: Path) -> None:
    links = [link.partition("#")[0] for link in LINK.findall(path.read_text(encoding="utf-8"))]
    relative = [link for link in links if link and "://" not in link]
    assert [link for link in relative if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=short)
def test_each_command_that_is_named_exists(path: Path) -> None:
    named = set(COMMAND.findall(path.read_text(encoding="utf-8")))
    assert named - BEFORE_DJANGO - set(get_commands()) == set()


def test_the_commands_page_names_only_commands_that_exist() -> None:
    path = ROOT / "docs" / "reference" / "commands.md"
    named = {
        name.split()[0]
        for heading in ("Before Django", "Of the product")
        for name in first_column(path, heading)
    }
    assert named - BEFORE_DJANGO - set(get_commands()) == set()


def test_each_command_of_the_product_is_on_the_commands_page() -> None:
    rooms = {"opspilot", "audit", "grounding", "approvals"}
    ours = {name for name, app in get_commands().items() if app.partition(".")[0] in rooms}
    page = first_column(ROOT / "docs" / "reference" / "commands.md", "Of the product")
    assert ours - {name.split()[0] for name in page} == set()


def test_each_module_path_that_a_document_names_exists() -> None:
    named = {
        (short(path), name)
        for path in DOCUMENTS
        for name in re.findall(
            r"`((?:opspilot|audit|grounding|approvals|docs|tests|templates)/[\w./-]*)`",
            path.read_text(encoding="utf-8"),
        )
    }
    assert [pair for pair in sorted(named) if not (ROOT / pair[1]).exists()] == []


def test_the_trail_page_explains_every_column_and_no_other() -> None:
    columns = {
        field.column
        for model in (AgenteAcao, AgenteAprovacao)
        for field in model._meta.local_fields
        if field.column
    }
    named = all_names_in_first_columns(ROOT / "docs" / "reference" / "trail.md")
    assert named - set(ACTIONS) - {"acao"} == columns - {"acao"}


def test_the_trail_page_lists_every_action_and_says_which_have_an_effect() -> None:
    page = (ROOT / "docs" / "reference" / "trail.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(\w+\.\w+)` \|.*\| (yes|no) \|$", page, flags=re.MULTILINE))
    assert listed == {name: "yes" if a.effect else "no" for name, a in ACTIONS.items()}


@pytest.mark.parametrize("state", [*State, *ExecutionState], ids=str)
def test_the_explanation_names_every_state(state: str) -> None:
    page = ROOT / "docs" / "explanation" / "from-request-to-effect.md"
    assert f"`{state}`" in page.read_text(encoding="utf-8")


def test_the_portuguese_readme_names_the_same_commands_and_links() -> None:
    english, portuguese = (
        (ROOT / "README.md").read_text(),
        (ROOT / "docs" / "LEIAME.md").read_text(),
    )
    assert set(COMMAND.findall(english)) == set(COMMAND.findall(portuguese))
    links = {link.removeprefix("docs/") for link in LINK.findall(english)}
    assert links - {"LEIAME.md"} <= set(LINK.findall(portuguese))


def test_the_readme_stays_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 90


def test_the_roles_that_dsn_offers_are_documented() -> None:
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert [role for role in postgres.ROLES if f"`{role}`" not in page] == []


def machine_folders(text: str) -> list[str]:
    return [name for name in FOLDERS if re.search(rf"(?<![\w.}}]){re.escape(name)}", text)]


def test_a_folder_of_a_machine_is_found_and_one_inside_a_path_is_not() -> None:
    assert machine_folders(f"see {FOLDERS[0]}main") == [FOLDERS[0]]
    assert machine_folders(f"data{FOLDERS[1]}import") == []


def test_no_tracked_file_names_a_folder_of_a_machine() -> None:
    found = {short(path): machine_folders(path.read_text(encoding="utf-8")) for path in tracked()}
    assert {name: folders for name, folders in found.items() if folders} == {}


def test_no_tracked_file_names_a_package_registry() -> None:
    texts = {short(path): path.read_text(encoding="utf-8") for path in tracked()}
    assert [name for name, text in texts.items() if any(host in text for host in HOSTS)] == []
