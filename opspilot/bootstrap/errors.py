from __future__ import annotations

from collections.abc import Sequence


class BootstrapError(Exception):
    """One sentence for the person at the terminal; `details` are a tool's own last lines."""

    def __init__(self, sentence: str, *, details: Sequence[str] = (), exit_code: int = 1) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.details = tuple(details)
        self.exit_code = exit_code


class BusyError(BootstrapError):
    """Something else holds what was asked for; nothing has been changed."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, exit_code=2)


class StopRequestedError(Exception):
    """Ctrl-C, SIGTERM or SIGHUP arrived while a step was running."""
