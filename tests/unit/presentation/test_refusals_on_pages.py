"""Every page that a refused form comes back on says the refusal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCES = sorted(
    path
    for app in ("approvals", "audit", "grounding", "opspilot")
    for path in (ROOT / app).rglob("*.py")
    if "keeping_what_was_typed(" in path.read_text(encoding="utf-8")
)


def _constants(tree: ast.Module) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        names, values = node.targets[0], node.value
        pairs = zip(
            getattr(names, "elts", [names]), getattr(values, "elts", [values]), strict=False
        )
        for name, value in pairs:
            if isinstance(name, ast.Name) and isinstance(value, ast.Constant):
                found[name.id] = str(value.value)
    return found


def _templates(source: Path) -> Iterator[str]:
    tree = ast.parse(source.read_text(encoding="utf-8"))
    constants = _constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "keeping_what_was_typed":
            yield _text(node.args[0], tree, constants)


def _text(given: ast.expr, tree: ast.Module, constants: dict[str, str]) -> str:
    """A text, a name of this module, or a name of a module that it imports from a room of ours."""
    if isinstance(given, ast.Name):
        return constants[given.id]
    if isinstance(given, ast.Attribute):
        return _constants(_imported(ast.unparse(given.value), tree))[given.attr]
    return str(ast.literal_eval(given))


def _imported(name: str, tree: ast.Module) -> ast.Module:
    room = next(
        node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module
        if name in [alias.name for alias in node.names]
    )
    file = ROOT / room.replace(".", "/") / f"{name}.py"
    return ast.parse(file.read_text(encoding="utf-8"))


PAGES = sorted({template for source in SOURCES for template in _templates(source)})


def test_the_pages_are_found() -> None:
    assert {"paradas/stop.html", "acessos/delegations.html", "rodadas/propose.html"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_keeps_what_was_typed_shows_the_refusal(page: str) -> None:
    text = (ROOT / "templates" / page).read_text(encoding="utf-8")
    assert "includes/error_note.html" in text or "error=error" in text
