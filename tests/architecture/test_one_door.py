"""One module speaks HTTP: what checks names, places, sizes and times cannot be gone round."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ("opspilot", "audit", "grounding", "approvals")
CLIENTS = {
    "aiohttp", "ftplib", "http.client", "httpcore", "httpcore2", "httpx", "httpx2", "requests",
    "urllib.request", "urllib3", "websockets",
}  # fmt: skip
DOOR = {"opspilot/connectors/http.py", "opspilot/connectors/pinned.py"}
# They drive an instance of their own, on loopback, and are never part of a running console.
APART = ("opspilot/bench/", "opspilot/smoke/", "opspilot/sandbox/", "opspilot/bootstrap/")
# Libraries that would build a client of their own; each is given the door's.
BRING_THEIR_OWN = {"openai": "OpenAI"}


@cache
def imported(path: Path) -> set[str]:
    """The names of all modules a file imports, wherever in it the line stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def importers(client: str) -> set[str]:
    files = [path for folder in SOURCE for path in (ROOT / folder).rglob("*.py")]
    hits = [
        path.relative_to(ROOT).as_posix()
        for path in files
        if any(name == client or name.startswith(f"{client}.") for name in imported(path))
    ]
    return {name for name in hits if not name.startswith(APART)}


def test_only_the_door_imports_a_client_of_http() -> None:
    assert {name for client in CLIENTS for name in importers(client)} == DOOR


def test_a_library_that_would_bring_its_own_client_is_given_the_door_s() -> None:
    for library, built in BRING_THEIR_OWN.items():
        given = [
            ast.unparse(key.value).partition("(")[0] if key else ""
            for name in importers(library)
            for node in ast.walk(ast.parse((ROOT / name).read_text()))
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == built
            for key in [next((k for k in node.keywords if k.arg == "http_client"), None)]
        ]
        assert given, library
        assert set(given) == {"http.client_for_library"}


def test_the_door_s_clients_are_built_to_follow_nothing_and_to_trust_no_environment() -> None:
    tree = ast.parse((ROOT / "opspilot/connectors/http.py").read_text())
    built = [
        {key.arg: ast.unparse(key.value) for key in node.keywords}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "httpx.Client"
    ]
    assert len(built) == 2
    assert {client["follow_redirects"] for client in built} == {"False"}
    assert {client["trust_env"] for client in built} == {"False"}
    assert all("_Transport(" in client["transport"] or "_BoundedTransport(" in client["transport"]
               for client in built)  # fmt: skip
