"""The sandbox's own time: the machine's, moved on and made faster by the control door."""

from __future__ import annotations

import threading
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

LARGEST_STEP = 10 * 366 * 86400.0  # seconds: keeps every date printable
LARGEST_SCALE = 10_000.0


@dataclass(frozen=True)
class Setting:
    """`ahead` seconds of the machine's clock at its moment `at`, `scale` times as fast since."""

    at: float = 0.0
    ahead: float = 0.0
    scale: float = 1.0

    def time(self, real: float) -> float:
        return self.at + self.ahead + (real - self.at) * self.scale


class Clock:
    """Every wait of the sandbox is by this clock: a step forward ends the waits it passes."""

    def __init__(self, setting: dict[str, Any] | None = None) -> None:
        self._changed = threading.Condition()
        self._setting = Setting(**(setting or {}))
        self._stopped = False

    def time(self) -> float:
        """Seconds since the epoch, as this clock counts them."""
        return self._setting.time(time.time())

    def now(self, *, later: float = 0.0) -> datetime:
        return datetime.fromtimestamp(self.time(), UTC) + timedelta(seconds=later)

    def change(self, *, advance: float, scale: float | None) -> dict[str, Any]:
        """Gives the new setting, to be kept: a sandbox that comes back goes on by it."""
        real = time.time()
        ahead = self.time() + advance - real
        self._take(Setting(real, ahead, self._setting.scale if scale is None else scale))
        return asdict(self._setting)

    def reset(self) -> None:
        self._take(Setting())

    def wait(self, seconds: float) -> bool:
        """True when the process is ending and the wait was cut short."""
        until = self.time() + seconds
        with self._changed:
            while not self._stopped and (left := until - self.time()) > 0:
                self._changed.wait(left / self._setting.scale)
            return self._stopped

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _take(self, setting: Setting) -> None:
        with self._changed:
            self._setting = setting
            self._changed.notify_all()
