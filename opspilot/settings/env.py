"""Typed readers of the environment. A missing or wrong value stops the process with its name."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from environs import FileAwareEnv

ROOT = Path(__file__).resolve().parents[2]
PREFIX = "OPSPILOT_"
FILE = "_FILE"

# Names of ours that other places read: before Django, in one command, or in production only.
ELSEWHERE = frozenset(
    {
        "OPSPILOT_BROWSER",
        "OPSPILOT_CHILD_OF",
        "OPSPILOT_DATA_DIR",
        "OPSPILOT_DEMO_PASSWORD",
        "OPSPILOT_ENVIRONMENT_ANNOUNCED",
        "OPSPILOT_SANDBOX_TOKEN",
        "OPSPILOT_STATIC_ROOT",
        "OPSPILOT_VENV",
    }
)

# The alias each URL becomes. Only the migrate step is ever given the owner's.
_DATABASES = {
    "default": "DATABASE_URL",
    "reader": "DATABASE_URL_READER",
    "maintenance": "DATABASE_URL_MAINTENANCE",
    "owner": "DATABASE_URL_OWNER",
}


class Environment(FileAwareEnv):
    """Each name may be given as NAME_FILE; white space around a file's content is not part of it."""

    def required(self, name: str) -> str:
        """A value that may not be empty: `NAME=`, as the example file has it, is not a value."""
        value = self.str(name)
        if not value:
            raise ImproperlyConfigured(f"{name} is empty; it has no default.")
        return value

    def required_list(self, name: str) -> list[str]:
        """Parts separated by commas, at least one."""
        self.required(name)
        parts = self.parts(name)
        if not parts:
            raise ImproperlyConfigured(f"{name} is empty; it has no default.")
        return parts

    def parts(self, name: str) -> list[str]:
        """Parts separated by commas, without the space around them; none when nothing is given."""
        return [part.strip() for part in self.str(name, "").split(",") if part.strip()]

    def names(self) -> frozenset[str]:
        """Every name that was asked for so far, given or not."""
        return frozenset(self._fields)


env = Environment(strip_whitespace=True)


def refuse_wrong_names() -> None:
    """For the end of each settings module, when every name it reads has been asked for."""
    known = env.names() | ELSEWHERE
    faults = [*doubled(os.environ, known), *unknown(os.environ, known)]
    if faults:
        raise ImproperlyConfigured("refusing to start: " + "; ".join(faults))


def doubled(environ: Mapping[str, str], known: Collection[str]) -> list[str]:
    """Names that have both a value and a file: which of the two was meant is not ours to guess."""
    return [
        f"{name} and {name}{FILE} are both set"
        for name in sorted(known)
        if environ.get(name) and environ.get(name + FILE)
    ]


def unknown(environ: Mapping[str, str], known: Collection[str]) -> list[str]:
    """Names with our prefix that nothing reads: a slip of the pen would else pass as a default."""
    ours = sorted(name for name in environ if name.startswith(PREFIX))
    return [
        f"nothing reads {name}"
        for name in ours
        if name not in known and name.removesuffix(FILE) not in known
    ]


def json_object(name: str, text: str) -> dict[str, Any]:
    """The JSON object of a name, an empty one when it is not given."""
    try:
        found = json.loads(text or "{}")
    except ValueError as exc:
        raise ImproperlyConfigured(f"{name} is no JSON.") from exc
    if not isinstance(found, dict):
        raise ImproperlyConfigured(f"{name} must be a JSON object.")
    return found


def databases() -> dict[str, dict[str, Any]]:
    """One Django connection per URL present; `default` (the runtime role) is required."""
    found: dict[str, dict[str, Any]] = {}
    for alias, name in _DATABASES.items():
        url = env.required(name) if alias == "default" else env.str(name, "")
        if url:
            found[alias] = _connection(url)
    return found


def _connection(url: str) -> dict[str, Any]:
    parsed: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=60))
    parsed["CONN_HEALTH_CHECKS"] = True
    parsed["DISABLE_SERVER_SIDE_CURSORS"] = True
    return parsed
