"""An act in a process of its own that kill -9 ends at a chosen step.

A step is a statement, right before it is sent and right after it was answered; a file, before it is
flushed; and its renaming, before and after. What a process holds in memory, its connections to the
database and its locks end with it, as on the day a machine loses its power.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from django.db import connections

Act = Callable[[], object]
_inherited: list[object] = []  # the parent's connections: only it may close them


def killed_at(step: int, act: Act) -> bool:
    """Whether it died there: False when the act has fewer steps and came to its end."""
    child = os.fork()
    if child == 0:
        _die_at(step, act)
    _pid, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, -signal.SIGKILL), f"the act itself failed at step {step}"
    return code != 0


def every_step() -> Iterator[int]:
    """One after the other; the caller ends at the first at which nothing died."""
    return count(1)


def _die_at(step: int, act: Act) -> None:
    """In the child. Never returns."""
    try:
        for one in connections.all(initialized_only=True):
            _inherited.append(one.connection)
            one.connection = None
        _arm(step)
        act()
    except BaseException:  # noqa: BLE001 - shown, and the process ends with it
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def _arm(step: int) -> None:
    steps = count(1)

    def pace() -> None:
        if next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        pace()
        answer = execute(sql, *more)
        pace()
        return answer

    for alias in connections:
        connections[alias].execute_wrappers.append(around)
    for owner, name in ((os, "fsync"), (Path, "replace"), (Path, "rename")):
        setattr(owner, name, _paced(getattr(owner, name), pace))


def _paced(real: Callable[..., Any], pace: Callable[[], None]) -> Callable[..., Any]:
    def paced(*given: Any) -> Any:
        pace()
        done = real(*given)
        pace()
        return done

    return paced
