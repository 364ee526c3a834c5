"""One instance's folder: where each file is, its secrets and what it remembers between runs."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.files import locked, read_json, size, write_atomically

PROJECT = Path(__file__).resolve().parents[2]
LOG_LIMIT = 10 * 1024 * 1024
SECRETS = (
    "postgres",
    "opspilot_owner",
    "opspilot_app",
    "opspilot_reader",
    "opspilot_maintenance",
    "opspilot_backup",
    "secret_key",
    "hmac_key",
    "demo_password",
    "sandbox_token",
    "semaphore_token",
)


@dataclass(frozen=True)
class DataDir:
    root: Path

    @property
    def secrets_file(self) -> Path:
        return self.root / "secrets.json"

    @property
    def state_file(self) -> Path:
        return self.root / "state.json"

    @property
    def up_lock(self) -> Path:
        return self.root / "up.lock"

    def lock(self, name: str) -> Path:
        return self.root / f".{name}.lock"

    def pid_file(self, name: str) -> Path:
        return self.root / "run" / f"{name}.json"

    def log(self, name: str) -> Path:
        return self.root / "logs" / f"{name}.log"


def chosen(argument: str | None) -> DataDir:
    """The folder named on the command line, else in OPSPILOT_DATA_DIR, else `.data`."""
    named = argument or os.environ.get("OPSPILOT_DATA_DIR")
    return DataDir((Path(named).expanduser() if named else PROJECT / ".data").resolve())


def create(data: DataDir) -> None:
    """Others may pass through (the database's own user must), but not look around."""
    try:
        if not data.root.exists():
            data.root.parent.mkdir(parents=True, exist_ok=True)
            data.root.mkdir(mode=0o711, exist_ok=True)
        for name in ("run", "logs", "mail", "exports", "archive"):
            (data.root / name).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise BootstrapError(
            f"The data folder {shown(data.root)} cannot be written ({error.strerror});"
            " name another one with --data-dir or OPSPILOT_DATA_DIR."
        ) from error


def shown(path: Path) -> str:
    """As a person in the project's folder would type it."""
    return str(path.relative_to(PROJECT)) if path.is_relative_to(PROJECT) else str(path)


def secret(data: DataDir, name: str) -> str:
    """Made at the first need, then kept: the same for the life of the data folder."""
    known = read_json(data.secrets_file)
    if name not in known:
        known = _mint(data)
    return str(known[name])


def has_secrets(data: DataDir) -> bool:
    return "postgres" in read_json(data.secrets_file)


def _mint(data: DataDir) -> dict[str, Any]:
    with locked(data.lock("secrets")):
        known = read_json(data.secrets_file)
        for name in SECRETS:
            known.setdefault(name, _made(name))
        write_atomically(data.secrets_file, json.dumps(known, indent=1) + "\n", mode=0o600)
    return known


def _made(name: str) -> str:
    if name == "semaphore_token":
        return secrets.token_hex(20)  # its older releases lower-case what they are shown
    return secrets.token_urlsafe(12 if name == "demo_password" else 32)


def remembered(data: DataDir, name: str) -> int | None:
    value = read_json(data.state_file).get(name)
    return value if isinstance(value, int) else None


def remember(data: DataDir, name: str, value: int) -> None:
    with locked(data.lock("state")):
        known = read_json(data.state_file) | {name: value}
        write_atomically(data.state_file, json.dumps(known) + "\n")


def rotate_logs(data: DataDir) -> None:
    for path in (data.root / "logs").glob("*.log"):
        if size(path) > LOG_LIMIT:
            path.replace(path.with_suffix(".log.1"))
