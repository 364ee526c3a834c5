"""How far a long command is: one line that rewrites itself on a terminal, else a line every 5 %."""

from __future__ import annotations

import shutil
import time

from django.core.management.base import OutputWrapper

from grounding.intake.loading import Glance

STEP = 5  # per cent between two plain lines
STILL = 30.0  # seconds after which a plain line says that nothing has moved


class Progress:
    def __init__(self, out: OutputWrapper) -> None:
        self.last: Glance | None = None
        self._out = out
        self._live = out.isatty()
        self._started = self._said_at = time.monotonic()
        self._said = -1

    def show(self, glance: Glance) -> None:
        self.last = glance
        if self._live:
            self._rewrite(self._line(glance))
        elif self._is_worth_a_line(glance):
            self._out.write(self._line(glance))

    def end(self) -> None:
        """Leave the terminal on a line of its own."""
        if self._live and self.last is not None:
            self._out.write("")

    def _is_worth_a_line(self, glance: Glance) -> bool:
        step = 100 * glance.ended // max(1, glance.total) // STEP
        now = time.monotonic()
        if step == self._said and now - self._said_at < STILL:
            return False
        self._said, self._said_at = step, now
        return True

    def _line(self, glance: Glance) -> str:
        seconds = time.monotonic() - self._started
        line = f"{glance.ended}/{glance.total}"
        line += f" ({100 * glance.ended // max(1, glance.total)} %)"
        line += f", {glance.ended / max(seconds, 0.001):.1f} documents/s"
        if glance.postponed:
            line += f", {glance.postponed} wait for the embedder, which does not answer"
        return f"{line}, {glance.current}" if glance.current else line

    def _rewrite(self, line: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        self._out.write(f"\r{line[:width]:<{width}}", ending="")
        self._out.flush()
