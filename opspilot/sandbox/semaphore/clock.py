"""The sandbox's own time: the machine's, moved on and made faster by the control door."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta

from opspilot.sandbox.semaphore.model import Record

LARGEST_STEP = 10 * 366 * 86400.0  # seconds: keeps every date printable
LARGEST_SCALE = 10_000.0


@dataclass(frozen=True)
class Pace:
    """`ahead` seconds of the machine's clock at its moment `at`, `scale` times as fast since."""

    at: float = 0.0
    ahead: float = 0.0
    scale: float = 1.0

    def time(self, real: float) -> float:
        return self.at + self.ahead + (real - self.at) * self.scale


class Clock:
    """Every wait of the sandbox is by this clock: a step forward ends the waits it passes."""

    def __init__(self, pace: Record | None = None) -> None:
        self._changed = threading.Condition()
        self._pace = Pace(**(pace or {}))
        self._stopped = False

    @property
    def stopped(self) -> bool:
        return self._stopped

    def time(self) -> float:
        """Seconds since the epoch, as this clock counts them."""
        return self._pace.time(time.time())

    def stamp(self, *, later: float = 0.0) -> str:
        return stamp(datetime.fromtimestamp(self.time(), UTC) + timedelta(seconds=later))

    def change(self, *, advance: float, scale: float | None) -> Record:
        """Gives the new pace, to be kept: a sandbox that comes back goes on by it."""
        real = time.time()
        ahead = self.time() + advance - real
        self._take(Pace(real, ahead, self._pace.scale if scale is None else scale))
        return asdict(self._pace)

    def reset(self) -> None:
        self._take(Pace())

    def wait(self, seconds: float, unless: Callable[[], bool] = lambda: False) -> bool:
        """True when the process is ending and the wait was cut short. `unless` is asked again at
        every `wake`.
        """
        until = self.time() + seconds
        with self._changed:
            while not self._stopped and not unless() and (left := until - self.time()) > 0:
                self._changed.wait(left / self._pace.scale)
            return self._stopped

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _take(self, pace: Pace) -> None:
        with self._changed:
            self._pace = pace
            self._changed.notify_all()


def stamp(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds: one width, so text order is time order."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
