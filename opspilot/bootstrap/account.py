"""The operating-system user PostgreSQL runs as. It refuses to run as root."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.tools import find_tool

NAME = "opspilot-db"


@dataclass(frozen=True)
class Account:
    uid: int
    gid: int

    def demotion(self) -> dict[str, Any]:
        """Arguments for subprocess; none when we already are this user."""
        if self.uid == os.geteuid():
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def owner_of(path: Path) -> Account:
    found = path.stat()
    return Account(found.st_uid, found.st_gid)


def server_account() -> Account:
    """Ourselves, or for root a user of its own, made once; `nobody` where none can be made."""
    if os.geteuid() != 0:
        return _ourselves()
    account = _named(NAME)
    if account is None:
        _create()
        account = _named(NAME) or _named("nobody")
    if account is None:
        raise BootstrapError("PostgreSQL needs a user other than root, and none could be made.")
    return account


def reaches(account: Account, folder: Path) -> bool:
    """Whether that user may pass into the folder, tried as that user."""
    return _runs(account, ["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)])


def executes(account: Account, binary: Path) -> bool:
    return _runs(account, [str(binary), "--version"])


def _runs(account: Account, command: list[str]) -> bool:
    try:
        done = subprocess.run(
            command,
            cwd="/",
            env={"LC_ALL": "C"},
            capture_output=True,
            check=False,
            **account.demotion(),
        )
    except OSError:
        return False
    return done.returncode == 0


def _ourselves() -> Account:
    uid = os.geteuid()
    try:
        pwd.getpwuid(uid)
    except KeyError:
        raise BootstrapError(
            f"The user id {uid} has no entry in the user database, and PostgreSQL refuses to run"
            " without one; run as a named user, or set DATABASE_URL to a server of your own."
        ) from None
    return Account(uid, os.getegid())


def _named(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(entry.pw_uid, entry.pw_gid)


def _create() -> None:
    tool = find_tool("useradd")
    if tool:
        options = ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin"]
        # A failure is read from the user database afterwards: another start may have been first.
        subprocess.run([tool, *options, NAME], capture_output=True, check=False)
