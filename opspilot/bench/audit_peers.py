"""Three packages that keep a history in Django, beside our trail: on the same server, in the same run.

They are installed for this alone, into the run's own folder, and never into the environment.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from opspilot.bench import stages
from opspilot.bench.audit_superuser import URL, superuser
from opspilot.bootstrap import postgres
from opspilot.bootstrap.datadir import PROJECT
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.processes import run_to_end
from opspilot.bootstrap.tools import find_tool, interpreter

GROUP = "peers"
_DATABASE = "bench_peers"


def measure(running: Instance) -> dict[str, Any]:
    """Write, page and remove, by package. Raises BootstrapError, also where they cannot be had."""
    assert running.server is not None
    folder = running.data.root / GROUP
    _install(running, folder)
    url = postgres.admin_dsn(running.server)
    with superuser(url) as admin:
        admin.execute(f"CREATE DATABASE {_DATABASE}")
    env = running.env_for("app") | {
        URL: _renamed(url),
        "PYTHONPATH": os.pathsep.join([str(folder), str(PROJECT)]),
    }
    line = [interpreter(), "-m", "opspilot.bench.peers.measuring"]
    return {"versions": wanted()} | stages.told(running, line, env)


def wanted() -> list[str]:
    """The packages as the dependency group names them, what they need themselves included."""
    found = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    names: list[str] = found["dependency-groups"][GROUP]
    return names


def _install(running: Instance, folder: Path) -> None:
    try:
        run_to_end("bench", running.data, _installing(folder), os.environ)
    except BootstrapError as exc:
        raise BootstrapError(
            f"the packages of the dependency group `{GROUP}` could not be installed",
            details=exc.details,
        ) from exc


def _installing(folder: Path) -> list[str]:
    """Without what they depend on: another Django beside ours would be measured instead of it."""
    told = ["install", "--quiet", "--no-deps", "--target", str(folder), *wanted()]
    if uv := find_tool("uv"):
        return [uv, "pip", *told]
    return [interpreter(), "-m", "pip", "--disable-pip-version-check", *told]


def _renamed(url: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{_DATABASE}"))
