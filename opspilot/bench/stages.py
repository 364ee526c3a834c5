"""What the stages of a bench share: each a process of its own, with what it told and what it lacks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.instance import Instance
from opspilot.bootstrap.processes import run_to_end

Say = Callable[[str], None]


def told(
    running: Instance, line: list[str], env: Mapping[str, str], *, name: str = "bench"
) -> dict[str, Any]:
    """The JSON object that the process ended with. Raises BootstrapError."""
    output = run_to_end(name, running.data, line, env)
    last = next(text for text in reversed(output.splitlines()) if text.startswith("{"))
    found: dict[str, Any] = json.loads(last)
    return found


@contextmanager
def faults_kept(what: str, missing: list[str], say: Say) -> Iterator[None]:
    """What could not be measured is said and leaves its figures out; the others are measured."""
    try:
        yield
    except BootstrapError as exc:
        why = next((line for line in reversed(exc.details) if line.strip()), str(exc))
        missing.append(f"{what}: {' '.join(why.split())}")
        say(f"    NOT MEASURED  {missing[-1]}")


def missed(
    figures: Mapping[str, Any], *, most: Mapping[str, float], least: Mapping[str, float]
) -> list[str]:
    """Names of the figures that are beyond their limit, or could not be had."""
    values = {name: figures[name] for name in (*most, *least)}
    return [
        name
        for name, value in values.items()
        if value is None or (value > most[name] if name in most else value < least[name])
    ]
