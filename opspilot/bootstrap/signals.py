from __future__ import annotations

import os
import select
import signal
import sys
from types import FrameType, TracebackType
from typing import Any, Self

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopSignal:
    """Turns Ctrl-C, SIGTERM and SIGHUP into a flag, so that no half-made step is torn apart.

    A signal that our starter has set to be ignored (nohup) stays ignored.
    """

    def __init__(self) -> None:
        self.requested = False
        self.from_terminal = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)
        for order in STOPPING:
            if signal.getsignal(order) is not signal.SIG_IGN:
                self._before[order] = signal.signal(order, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for order, handler in self._before.items():
            signal.signal(order, handler)
        os.close(self._reader)
        os.close(self._writer)

    def __bool__(self) -> bool:
        return self.requested

    def is_requested(self) -> bool:
        return self.requested

    def pause(self, seconds: float) -> None:
        """Sleeps, and wakes at once when asked to stop."""
        if not self.requested:
            select.select([self._reader], [], [], seconds)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.requested = True
        self.from_terminal = (
            number == signal.SIGINT and sys.stdin is not None and sys.stdin.isatty()
        )
        os.write(self._writer, b".")
