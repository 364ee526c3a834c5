"""When the scope's trail is sealed next, as far as the worker can say."""

from __future__ import annotations

import datetime as dt

from audit.models import SealFault, TrailWatch
from opspilot.tenancy import clock

_WAITS = frozenset({"", str(SealFault.OPEN_WRITER)})
"""What keeps nobody from sealing soon; any other fault has to be mended by somebody first."""


def next_seal() -> dt.datetime | None:
    """The moment of the worker's next turn, which may be now; None where it never looked, or cannot seal as it is."""
    watch = TrailWatch.objects.filter(fault__in=_WAITS).first()
    return max(watch.next_at, clock.now()) if watch else None
