"""Which effects of a quarter an audit pack holds: drawn by a seed that everybody can draw again by."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from uuid import UUID

from django.utils.timezone import get_default_timezone

from approvals.execution import attempts
from approvals.models import AgenteAprovacao, Consumption, ExecutionAttempt, Taking
from audit.proving.sample_form import drawn

_QUARTER = re.compile(r"(\d{4})-T([1-4])")
MOST = 200  # proofs in one pack


class NotAQuarterError(ValueError):
    """Not of the form 2026-T4."""


@dataclass(frozen=True, slots=True)
class Quarter:
    """From its first instant up to, and without, the first of the next, in the console's zone."""

    name: str
    since: dt.datetime
    until: dt.datetime


@dataclass(frozen=True, slots=True)
class Sample:
    """`of` is everything it was drawn from, in the order of the references."""

    of: list[UUID]
    refs: list[UUID]


def quarter(text: str) -> Quarter:
    """Raises NotAQuarterError."""
    found = _QUARTER.fullmatch(text)
    if found is None:
        raise NotAQuarterError(text)
    year, number = int(found[1]), int(found[2])
    return Quarter(text, _first(year, number), _first(year + number // 4, number % 4 + 1))


def sample(*, of: Quarter, size: int, seed: str) -> Sample:
    """Of the open scope's company; all of the quarter's effects where there are no more."""
    refs = sorted(_effects(of))
    chosen = drawn([str(ref) for ref in refs], seed=seed, size=min(size, MOST))
    return Sample(refs, [UUID(ref) for ref in chosen])


def _first(year: int, number: int) -> dt.datetime:
    return dt.datetime(year, number * 3 - 2, 1, tzinfo=get_default_timezone())


def _effects(of: Quarter) -> set[UUID]:
    """What left this console for the first time in the quarter, or was used by an agent in it."""
    sent = ExecutionAttempt.objects.filter(
        kind=attempts.SENT, number=1, at__gte=of.since, at__lt=of.until
    ).values("execution__approval_id")
    used = Consumption.objects.filter(
        kind=Taking.CONSUMIDA, at__gte=of.since, at__lt=of.until
    ).values("approval_id")
    rows = AgenteAprovacao.objects
    return {
        *rows.filter(pk__in=sent).values_list("ref", flat=True),
        *rows.filter(pk__in=used).values_list("ref", flat=True),
    }
