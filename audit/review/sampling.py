"""A hundred rows drawn by chance, read by a person: what the guard let through is found there.

Of days that are over the seed draws the same rows again, whoever draws them, so that nobody can be
said to have chosen them. A day that still runs gains rows, and another draw may be another one.
"""

from __future__ import annotations

import datetime as dt
import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, F, Func, Sum, Value
from django.utils import timezone

from audit import trail
from audit.days import after, midnight
from audit.guard.kinds import Kind
from audit.models import (
    AgenteAcao,
    MaskingCount,
    TrailReview,
    TrailReviewEnd,
    TrailReviewFinding,
)
from audit.review import terms
from audit.review.errors import NothingToReviewError, PeriodError, ReviewDoneError, TooSlowError
from audit.time_limit import SECONDS, limited
from audit.vocabulary import Authorization, Result
from opspilot.errors import NotFoundError
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal

SIZE = 100
MOST_DAYS = 100
SHOWN = 20
COUNTED = dt.timedelta(days=30)
_SEEDS = 2**31


@dataclass(frozen=True, slots=True)
class Found:
    """What a reviewer says of one row; `term` masks that word from now on."""

    kind: Kind
    term: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    review: TrailReview
    end: TrailReviewEnd | None


def is_period(first: dt.date, last: dt.date) -> bool:
    return 0 <= (last - first).days < MOST_DAYS and first <= _today()


def draw(
    *, person: Principal, first: dt.date, last: dt.date, seed: int | None = None
) -> TrailReview:
    """A new review of the days from `first` to `last`, both whole, in the installation's zone, as far
    as they are over. Raises PeriodError, NothingToReviewError or TooSlowError."""
    if not is_period(first, last):
        raise PeriodError
    since, until = midnight(first), min(midnight(after(last)), clock.now())
    chosen = secrets.randbelow(_SEEDS) if seed is None else seed
    rows = drawn(since=since, until=until, seed=chosen)
    if not rows:
        raise NothingToReviewError
    review = TrailReview(
        tenant_id=person.tenant_id, seed=chosen, since=since, until=until, rows=rows,
        by=person.subject, by_name=person.name,
    )  # fmt: skip
    review.save(force_insert=True)
    return review


def drawn(*, since: dt.datetime, until: dt.datetime, seed: int) -> list[int]:
    """The ids that this seed draws, in the order they are read."""
    place = Func(F("id"), Value(seed), function="hashint8extended", output_field=BigIntegerField())
    rows = AgenteAcao.objects.filter(ocorrido_em__gte=since, ocorrido_em__lt=until)
    with limited(TooSlowError, seconds=SECONDS):
        return sorted(rows.order_by(place, "id").values_list("id", flat=True)[:SIZE])


def get(*, ref: UUID) -> Drawn:
    review = TrailReview.objects.filter(ref=ref).first()
    if review is None:
        raise NotFoundError
    return Drawn(review, TrailReviewEnd.objects.filter(review=review).first())


def recent() -> list[Drawn]:
    """The newest SHOWN."""
    reviews = list(TrailReview.objects.order_by("-pk")[:SHOWN])
    ends = {end.review_id: end for end in TrailReviewEnd.objects.filter(review__in=reviews)}
    return [Drawn(review, ends.get(review.pk)) for review in reviews]


def rows_of(review: TrailReview) -> list[AgenteAcao]:
    """Those that are still there: a month may have ended since."""
    found = AgenteAcao.objects.filter(
        id__in=review.rows, ocorrido_em__gte=review.since, ocorrido_em__lt=review.until
    )
    return list(found.order_by("id"))


def findings_of(review: TrailReview) -> dict[int, Kind]:
    found = TrailReviewFinding.objects.filter(review=review)
    return {finding.trail_row: Kind(finding.kind) for finding in found}


def finish(*, person: Principal, review: TrailReview, found: Mapping[int, Found]) -> TrailReviewEnd:
    """Write down what was found and that the sample was read, once. A term is masked from now on.

    Raises ReviewDoneError, TermError or TermKnownError; `found` is about rows of the review.
    """
    looked = {row.id for row in rows_of(review)}
    if not found.keys() <= looked:
        raise NotFoundError
    end = _end(person, review, len(looked), len(found))
    TrailReviewFinding.objects.bulk_create(
        TrailReviewFinding(tenant_id=review.tenant_id, review=review, trail_row=row, kind=said.kind)
        for row, said in found.items()
    )
    for text in dict.fromkeys(said.term for said in found.values() if said.term):
        terms.add(person=person, review=review, text=text)
    _record(person, review, end)
    return end


def masked_lately() -> Sequence[tuple[str, Kind, int]]:
    """Field, kind and how often the guard masked it in the last thirty days, the most first."""
    since = clock.now() - COUNTED
    found = (
        MaskingCount.objects.filter(at__gte=since)
        .values_list("field", "kind")
        .annotate(total=Sum("count"))
        .order_by("-total", "field", "kind")
    )
    return [(field, Kind(kind), total) for field, kind, total in found]


def _today() -> dt.date:
    return timezone.localdate(clock.now(), timezone.get_default_timezone())


def _end(person: Principal, review: TrailReview, looked: int, findings: int) -> TrailReviewEnd:
    row = TrailReviewEnd(
        tenant_id=review.tenant_id, review=review, looked=looked, findings=findings,
        by=person.subject, by_name=person.name,
    )  # fmt: skip
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as exc:
        raise ReviewDoneError from exc
    return row


def _record(person: Principal, review: TrailReview, end: TrailReviewEnd) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao="trilha.revisada",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=person.signature,
            saida_resumo=f"revisão {review.ref}: {end.looked} linhas, {end.findings} achados",
        )
    )
