"""How much more there is to do than is being done: measured by the worker, read at the doors.

Utilisation is the greater of two figures: the share of a model's slots that are held (the fullest
model's), and how long the oldest question that could begin has waited, in OPSPILOT_SHED_SECONDS. One
that was put off waits for its provider and not for us: it does not count.

Each level keeps one more kind of work outside. It is entered after UP_LOOKS in a row that ask for it
and left after DOWN_LOOKS at half its threshold, so a peak of one look changes nothing and a figure
that swings around a threshold does not open and close a door.

What it does not see: peaks between two sweeps (five seconds), processor and disk, whose wait it is.
All companies count together, and one company's flood keeps the least urgent work of all outside. A
look that is older than STALE says nothing: without a worker everything is let in, and queues.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import structlog
from django.conf import settings
from django.db import connection

from opspilot import telemetry
from opspilot.resilience.models import Pressure

log = structlog.get_logger(__name__)
ENTERED_AT = (0.5, 1.0, 4.0)  # utilisation, of the levels from 1 on
LEFT_AT = tuple(threshold / 2 for threshold in ENTERED_AT)
UP_LOOKS, DOWN_LOOKS = 2, 4
STALE = 30.0  # seconds

_LOOK = """
SELECT coalesce((SELECT max(held) FROM (
         SELECT count(*) AS held FROM connector_slot
          WHERE connector LIKE 'model:%%' AND until > clock_timestamp()
          GROUP BY connector) s), 0), q.waiting, q.oldest_seconds
  FROM waiting_questions(%(known)s) q
"""
# Of two that look at once the second changes nothing: it has seen an older row.
_WRITE = """
UPDATE pressure SET level = %(level)s, looks = %(looks)s, slots_held = %(slots_held)s,
       waiting = %(waiting)s, oldest_seconds = %(oldest)s, measured_at = clock_timestamp(),
       since = CASE WHEN level = %(level)s THEN since ELSE clock_timestamp() END
 WHERE id = 1 AND measured_at = %(seen)s
"""
_STANDING = """
SELECT level, oldest_seconds FROM pressure
 WHERE id = 1 AND measured_at + make_interval(secs => %s) > clock_timestamp()
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """A level, and how many looks in a row asked for a higher (or, below zero, a lower) one."""

    level: int = 0
    looks: int = 0


def after(standing: Standing, utilisation: float) -> Standing:
    """What one more look makes of it."""
    wanted = _wanted(standing.level, utilisation)
    if wanted == standing.level:
        return Standing(standing.level)
    upward = wanted > standing.level
    in_a_row = standing.looks if (standing.looks > 0) == upward else 0
    looks = in_a_row + (1 if upward else -1)
    if looks >= UP_LOOKS or looks <= -DOWN_LOOKS:
        return Standing(wanted)
    return Standing(standing.level, looks)


def measure(*, known: int) -> None:
    """Look once and write down what was seen; with no transaction open. A question of rules newer
    than `known` waits for a newer worker: it does not count."""
    before = Pressure.objects.get(pk=1)
    with connection.cursor() as cursor:
        cursor.execute(_LOOK, {"known": known})
        held, waiting, oldest = cursor.fetchone()
        share = held / settings.OPSPILOT_CONNECTOR_SLOTS
        now = after(Standing(before.level, before.looks), utilisation(share, oldest))
        cursor.execute(
            _WRITE,
            {
                "level": now.level,
                "looks": now.looks,
                "slots_held": share,
                "waiting": waiting,
                "oldest": oldest,
                "seen": before.measured_at,
            },
        )
    _tell(now.level, waiting, oldest, share)
    if now.level != before.level:
        log.warning("pressure", level=now.level, before=before.level, waiting=waiting)


def _tell(*values: float) -> None:
    for name, value in zip(telemetry.FIGURES, values, strict=True):
        telemetry.figure(name, value)


def utilisation(slots_held: float, oldest_seconds: float) -> float:
    """Nothing counts where an installation does not want to shed."""
    if settings.OPSPILOT_SHED_SECONDS <= 0:
        return 0.0
    return float(max(slots_held, oldest_seconds / settings.OPSPILOT_SHED_SECONDS))


def standing() -> tuple[int, float]:
    """The level in force and how many seconds the oldest question has waited; zeros when the last
    look is too old to say anything."""
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, [STALE])
        return cursor.fetchone() or (0, 0.0)


def last() -> Pressure:
    """The row as it is, for who shows it."""
    return Pressure.objects.get(pk=1)


def is_old(seen: Pressure, now: dt.datetime) -> bool:
    return now - seen.measured_at > dt.timedelta(seconds=STALE)


def _wanted(level: int, utilisation: float) -> int:
    higher = sum(utilisation >= threshold for threshold in ENTERED_AT)
    if higher > level:
        return higher
    return max(higher, sum(utilisation >= threshold for threshold in LEFT_AT[:level]))
