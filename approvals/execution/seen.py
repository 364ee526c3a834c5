"""What an effect learns of the remote, as values the core understands whatever the remote is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from opspilot.connectors.tasks import HostResult


@dataclass(frozen=True, slots=True)
class Seen:
    """One effect at the remote, compared with what was approved.

    `remote` is kept on the execution (its ids and address), `differs` holds the codes of what is
    not as approved and `received` what the remote has in their place. `running`: it was started and
    goes on by itself; `follow` says how it ends.
    """

    remote: dict[str, Any]
    differs: list[str]
    summary: str
    received: dict[str, Any] = field(default_factory=dict)
    running: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a look-up found, the oldest first. `complete`: all of the list was read, so that nothing
    found is a clean look-up; it is still no proof that nothing is there."""

    seen: tuple[Seen, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Printed:
    """What something that runs has said so far. It informs, and decides nothing."""

    status: str
    text: str
    recap: Mapping[str, HostResult]
    ended: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """How something that was started stands. Running: look again after `wait` seconds. Ended: as
    approved when `differs` is empty. `unknown`: the reason why nobody can say; a person decides.
    `incident` asks for a row of its own in the trail."""

    running: bool
    wait: float
    differs: list[str]
    unknown: str
    incident: bool
    summary: str
    remote: dict[str, Any]
    printed: Printed | None = None
