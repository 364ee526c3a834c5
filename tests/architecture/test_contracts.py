"""The import contracts name everything they are about: a new adapter cannot stand outside them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LINTER: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][
    "importlinter"
]
CONTRACTS = {contract["id"]: contract for contract in LINTER["contracts"]}
CONNECTORS = ROOT / "opspilot" / "connectors"
# What an app may see, who builds, and what the adapters themselves stand on.
NOT_ADAPTERS = {
    "egress", "errors", "findings", "gitlab_answers", "gitlab_doctor",
    "guarded", "http", "issues", "names", "pinned", "ports", "readers",
    "semaphore_answers", "semaphore_body", "semaphore_doctor", "semaphore_inventory", "tasks",
    "weights", "writers",
}  # fmt: skip


def test_every_adapter_is_under_a_contract() -> None:
    modules = {path.stem for path in CONNECTORS.glob("*.py")} - {"__init__"} - NOT_ADAPTERS
    named = {
        name for contract in CONTRACTS.values() for name in contract.get("protected_modules", [])
    }
    assert {name for name in modules if f"opspilot.connectors.{name}" not in named} == set()


def test_a_port_speaks_no_protocol() -> None:
    """Else an app that may see the port could reach the wire by it."""
    ports = [CONNECTORS / f"{name}.py" for name in ("ports", "issues", "tasks", "errors")]
    assert [path.name for path in ports if "httpx" in path.read_text()] == []


def test_every_room_has_its_place_on_the_ladder() -> None:
    ladder = " | ".join(CONTRACTS["ladder"]["layers"]).split(" | ")
    rooms = {path.parent.name for path in (ROOT / "opspilot").glob("*/__init__.py")}
    # Before Django, or read by name: they import nothing of ours, or a contract holds them.
    apart = {"bootstrap", "formats", "sandbox", "settings"}
    assert {room for room in rooms - apart if f"opspilot.{room}" not in ladder} == set()


@pytest.mark.parametrize(
    ("name", "contract"),
    [("approvals", "rooms"), ("audit", "rooms-audit"), ("grounding", "rooms-grounding")],
)
def test_every_module_of_an_app_has_its_line(name: str, contract: str) -> None:
    """The contract names modules of several rooms, so it cannot tell by itself that one is missing."""
    lines = " | ".join(CONTRACTS[contract]["layers"]).replace("(", "").replace(")", "")
    app = ROOT / name
    modules = {
        ".".join(path.relative_to(app).with_suffix("").parts)
        for path in app.rglob("*.py")
        if path.stem != "__init__" and path.relative_to(app).parts[0] not in _NO_LAYER
    }
    packages = {name for name in lines.split(" | ") if (app / name).is_dir()}
    assert {m for m in modules if m.split(".")[0] not in packages} == set(
        lines.split(" | ")
    ) - packages


_NO_LAYER = {"migrations", "fixtures", "management", "sql", "apps.py"}
