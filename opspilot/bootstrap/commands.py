"""What `manage.py` does with its arguments."""

from __future__ import annotations

import os
import sys

from opspilot.bootstrap import dsn, environment, testing, up
from opspilot.bootstrap.datadir import PROJECT
from opspilot.bootstrap.delegate import run_django
from opspilot.bootstrap.environment import Kind, Readiness
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.terminal import report, say, stage_line

ANNOUNCED = "OPSPILOT_ENVIRONMENT_ANNOUNCED"


def main(arguments: list[str]) -> int:
    """The exit code."""
    try:
        return _dispatch(arguments)
    except BootstrapError as error:
        return report(error)
    except PermissionError as error:
        return report(
            BootstrapError(f"{error.filename} cannot be used by this user: {error.strerror}.")
        )
    except KeyboardInterrupt:
        return 130


def _dispatch(arguments: list[str]) -> int:
    command, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if command == "up":
        return _up(arguments, rest)
    if command == "test":
        _enter("dev", arguments)
        return testing.run(rest)
    if command == "dsn":
        options = dsn.parse(rest)
        _enter("run", arguments)
        return dsn.run(options)
    _enter("run", arguments)
    return run_django(arguments)


def _up(arguments: list[str], rest: list[str]) -> int:
    options = up.parse(rest)
    announced = os.environ.pop(ANNOUNCED, None) is not None
    if not announced:
        up.refuse_if_busy(options)
        say("Starting OpsPilot")
    readiness = environment.ensure("run")
    if not announced:
        stage_line("environment", readiness.text, readiness.seconds)
    if not environment.is_current():
        os.environ[ANNOUNCED] = "1"
        _become(readiness, arguments)
    return up.run(options)


def _enter(kind: Kind, arguments: list[str]) -> None:
    """Returns inside the project's environment; from any other Python it starts again in there."""
    readiness = environment.ensure(kind)
    if not environment.is_current():
        _become(readiness, arguments)


def _become(readiness: Readiness, arguments: list[str]) -> None:
    foreign = ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__")
    environ = {name: value for name, value in os.environ.items() if name not in foreign}
    sys.stdout.flush()
    command = [str(readiness.python), str(PROJECT / "manage.py"), *arguments]
    os.execve(command[0], command, environ)  # noqa: S606 (no shell is wanted)
