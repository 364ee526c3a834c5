from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from opspilot.bootstrap.errors import BootstrapError


def say(text: str = "") -> None:
    """A terminal that went away must not keep anything from being stopped."""
    with suppress(OSError):
        print(text, flush=True)


def report(error: BootstrapError) -> int:
    with suppress(OSError):
        print(f"{error.sentence}", file=sys.stderr)
        for line in error.details:
            print(f"    {line}", file=sys.stderr)
        sys.stderr.flush()
    return error.exit_code


@dataclass
class Stage:
    text: str = ""


@contextmanager
def stage(name: str) -> Iterator[Stage]:
    """Prints one line when the work inside has succeeded."""
    started = time.monotonic()
    current = Stage()
    yield current
    stage_line(name, current.text, time.monotonic() - started)


def stage_line(name: str, text: str, seconds: float) -> None:
    say(f"  {name:<15} {text:<42} {seconds:5.1f} s")
