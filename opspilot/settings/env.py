"""Typed readers of the environment. A missing or wrong value stops the process with its name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dj_database_url
from environs import FileAwareEnv

ROOT = Path(__file__).resolve().parents[2]
env = FileAwareEnv()

# The alias each URL becomes. Only the migrate step is ever given the owner's.
_DATABASES = {
    "default": "DATABASE_URL",
    "reader": "DATABASE_URL_READER",
    "maintenance": "DATABASE_URL_MAINTENANCE",
    "owner": "DATABASE_URL_OWNER",
}


def databases() -> dict[str, dict[str, Any]]:
    """One Django connection per URL present; `default` (the runtime role) is required."""
    found: dict[str, dict[str, Any]] = {}
    for alias, name in _DATABASES.items():
        url = env.str(name) if alias == "default" else env.str(name, "")
        if url:
            found[alias] = _connection(url)
    return found


def _connection(url: str) -> dict[str, Any]:
    parsed: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=60))
    parsed["CONN_HEALTH_CHECKS"] = True
    parsed["DISABLE_SERVER_SIDE_CURSORS"] = True
    return parsed
