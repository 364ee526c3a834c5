"""An admin has what was given up tried again, with a reason; each one is a row of the trail.

Nothing of it decides, sends or repeats an effect: a lane without `again` is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from audit import trail
from opspilot.dead_letter import lanes
from opspilot.dead_letter.errors import NothingMarkedError, NotStoppedError, ReasonTooShortError
from opspilot.dead_letter.shapes import Lane
from opspilot.errors import RefusedError, RoleRequiredError
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import WORK_KEEPERS

LEAST_REASON = 10  # characters
MOST = 100  # at a time
_SEPARATOR = ":"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many are queued again, and how many were not stopped any more."""

    queued: int
    left: int


def try_again(*, admin: Principal, marked: Sequence[str], reason: str) -> Outcome:
    """`marked` are names as `name` makes them. Each stands by itself: one that cannot be tried again
    holds no other back. Done twice it changes nothing."""
    if not admin.has(*WORK_KEEPERS):
        raise RoleRequiredError(roles=sorted(WORK_KEEPERS))
    if len(reason.strip()) < LEAST_REASON:
        raise ReasonTooShortError
    chosen = list(dict.fromkeys(marked))[:MOST]
    if not chosen:
        raise NothingMarkedError
    queued = sum(_try_again(admin, one, reason) for one in chosen)
    return Outcome(queued, len(chosen) - queued)


def name(lane: Lane, key: UUID) -> str:
    return f"{lane.slug}{_SEPARATOR}{key}"


def _try_again(admin: Principal, marked: str, reason: str) -> bool:
    try:
        lane, key = _named(marked)
        with transaction.atomic():
            run = lane.again(admin, key) if lane.again else None
            if run is None:
                raise NotStoppedError
            trail.record_act(
                admin,
                "trabalho.repetido",
                correlacao_id=run,
                saida_resumo=f"{lane.slug}: {reason.strip()}",
            )
    except RefusedError:
        return False
    return True


def _named(marked: str) -> tuple[Lane, UUID]:
    slug, _sign, key = marked.partition(_SEPARATOR)
    try:
        return lanes.BY_SLUG[slug], UUID(key)
    except (KeyError, ValueError):
        raise NotStoppedError from None
