"""What a ranking is worth against labels: scores a question, their means, and how sure those are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from math import log2

import numpy as np
import numpy.typing as npt

NAMES = ("mrr@5", "ndcg@10", "recall@5", "recall@20")
RESAMPLES = 2_000
SEED = 7  # the same intervals from the same scores, for ever
BINS = 10

Interval = tuple[float, float]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one question, in the order of NAMES."""

    mrr_5: float
    ndcg_10: float
    recall_5: float
    recall_20: float


def scores(ranked: Sequence[str], grades: Mapping[str, int]) -> Scores:
    """A grade of 1 or more counts as found; nDCG takes the grades as they are (linear gains)."""
    relevant = {name for name, grade in grades.items() if grade > 0}
    first = next((rank for rank, name in enumerate(ranked[:5], start=1) if name in relevant), 0)
    return Scores(
        mrr_5=1 / first if first else 0.0,
        ndcg_10=_ndcg([grades.get(name, 0) for name in ranked[:10]], list(grades.values()), 10),
        recall_5=len(relevant.intersection(ranked[:5])) / len(relevant),
        recall_20=len(relevant.intersection(ranked[:20])) / len(relevant),
    )


def _ndcg(gains: Sequence[int], all_gains: Sequence[int], depth: int) -> float:
    ideal = _discounted(sorted(all_gains, reverse=True)[:depth])
    return _discounted(gains) / ideal if ideal else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def means(found: Sequence[Scores]) -> dict[str, float]:
    return dict(zip(NAMES, _table(found).mean(axis=0).round(4).tolist(), strict=True))


def intervals(found: Sequence[Scores]) -> dict[str, Interval]:
    """95 % of the means of questions drawn again with return.

    A score that is the same for every question shows no width: the truth may still be elsewhere.
    """
    drawn = _resampled(_table(found))
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0).round(4)
    return {name: (float(a), float(b)) for name, a, b in zip(NAMES, low, high, strict=True)}


def difference(ours: Sequence[float], theirs: Sequence[float]) -> dict[str, float]:
    """Of two settings on the same questions, question by question, with its 95 % and a sign-flip p."""
    pairs = np.array(ours) - np.array(theirs)
    low, high = np.percentile(_resampled(pairs[:, None])[:, 0], [2.5, 97.5])
    signs = np.random.default_rng(SEED).choice([-1.0, 1.0], size=(RESAMPLES, len(pairs)))
    flipped = np.abs((signs * pairs).mean(axis=1))
    return {
        "difference": round(float(pairs.mean()), 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
        "p": round(float((flipped >= abs(pairs.mean()) - 1e-12).mean()), 4),
        "better": int((pairs > 1e-9).sum()),
        "same": int((np.abs(pairs) <= 1e-9).sum()),
        "worse": int((pairs < -1e-9).sum()),
    }


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """How often a positive stands above a negative, ties counting half; None without either."""
    if not positive or not negative:
        return None
    above = np.array(positive)[:, None] - np.array(negative)[None, :]
    return round(float((above > 0).mean() + (above == 0).mean() / 2), 4)


def calibration_error(
    probabilities: Sequence[float], truths: Sequence[bool], weights: Sequence[float] = ()
) -> float | None:
    """Expected calibration error over BINS equal widths; None where nothing was judged."""
    if not probabilities:
        return None
    said, true = np.array(probabilities), np.array(truths, dtype=float)
    share = np.array(weights or [1.0] * len(probabilities))
    share = share / share.sum()
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    gaps = [abs(float((share * (said - true))[bins == number].sum())) for number in range(BINS)]
    return round(sum(gaps), 4)


def percentile(values: Sequence[float], share: float) -> float:
    return round(float(np.percentile(np.array(values), share * 100)), 1)


def ndcg_of(found: Sequence[Scores]) -> list[float]:
    return [one.ndcg_10 for one in found]


def share(hits: int, of: int) -> float | None:
    """None where there was nothing to count."""
    return round(hits / of, 4) if of else None


def _table(found: Sequence[Scores]) -> Numbers:
    return np.array([astuple(one) for one in found], dtype=np.float64)


def _resampled(table: Numbers) -> Numbers:
    """The means of RESAMPLES draws of as many rows."""
    random = np.random.default_rng(SEED)
    size = len(table)
    return np.array([table[random.integers(0, size, size)].mean(axis=0) for _ in range(RESAMPLES)])
