"""The lines of a run on their way to the store: in batches, the last one late."""

from __future__ import annotations

import time
from collections.abc import Callable

from opspilot.sandbox.semaphore.model import Settings, Task
from opspilot.sandbox.semaphore.plays import Play
from opspilot.sandbox.semaphore.store import Store

_BATCH = 0.5  # seconds


class Output:
    def __init__(self, store: Store, task: Task, settings: Settings) -> None:
        self._store, self._task, self._settings = store, task, settings
        self._rows: list[tuple[str, str]] = []
        self._since = time.monotonic()

    def line(self, text: str) -> None:
        now = time.monotonic()
        if self._rows and now - self._since > _BATCH:
            self._flush()
        if not self._rows:
            self._since = now
        self._rows.append((self._store.clock.stamp(), text))

    def finish(self, unless: Callable[[], bool]) -> bool:
        """What is left comes after the end, how late the settings or the order say, or never.

        False when nothing may be written any more.
        """
        late = self._task.play == Play.LATE_OUTPUT
        wait = self._task.play_seconds if late else self._settings.flush_delay
        if self._store.clock.wait(wait, unless) or unless():
            return False
        if self._task.play == Play.LOST_OUTPUT:
            self._rows = []
        if self._task.play == Play.MIXED_OUTPUT:
            self._rows.reverse()
        self._flush()
        return True

    def _flush(self) -> None:
        self._store.add_output(self._task.id, self._rows)
        self._rows = []
