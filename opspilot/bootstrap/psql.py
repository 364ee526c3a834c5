from __future__ import annotations

import subprocess
from dataclasses import dataclass, field

from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.network import HOST
from opspilot.bootstrap.postmaster import server_environment
from opspilot.bootstrap.tools import postgres_wheel


class RefusedError(BootstrapError):
    """The server answers and does not take our password, or cannot prove that it knows it."""


@dataclass(frozen=True)
class Login:
    port: int
    user: str
    password: str = field(repr=False)
    database: str = "postgres"


def run_sql(script: str, login: Login) -> str:
    """Both sides prove the password (SCRAM); a server that asks for less is not talked to."""
    command = [str(postgres_wheel() / "bin" / "psql"), "-X", "-A", "-t", "-q", "-w", "-h", HOST]
    command += ["-p", str(login.port), "-U", login.user, "-d", login.database]
    # Terse: an error must not quote the statement, which may hold a password.
    command += ["-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=terse", "-f", "-"]
    environment = server_environment() | {
        "PGPASSWORD": login.password,
        "PGREQUIREAUTH": "scram-sha-256",
        "PGCONNECT_TIMEOUT": "5",
        "PGCLIENTENCODING": "UTF8",
    }
    done = subprocess.run(
        command, input=script, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode != 0:
        raise _failure(done.stderr)
    return done.stdout.strip()


def _failure(text: str) -> BootstrapError:
    lines = text.splitlines()[-6:]
    if "authentication" in text:
        return RefusedError(
            "The database server does not accept this instance's password.", details=lines
        )
    return BootstrapError("The database server refused a bootstrap statement.", details=lines)
