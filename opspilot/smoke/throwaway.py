"""A folder for an instance that nobody keeps, and an end that leaves nothing running."""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from opspilot.bootstrap import postgres
from opspilot.bootstrap.testing import scratch


@contextmanager
def throwaway_folder(
    purpose: str, *, keep: bool = False, place: Path | None = None
) -> Iterator[Path]:
    """In `place`; without one in memory, where there is plenty of it."""
    folder = Path(tempfile.mkdtemp(prefix=f"opspilot-{purpose}-", dir=place or scratch())).resolve()
    folder.chmod(0o711)  # the database's own user passes through
    try:
        yield folder
    finally:
        if not keep:
            postgres.remove(folder)


@contextmanager
def stopping_cleanly() -> Iterator[None]:
    """A stop by signal ends the children and the server too."""
    before = {order: signal.signal(order, _end) for order in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for order, handler in before.items():
            signal.signal(order, handler)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
