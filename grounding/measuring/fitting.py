"""Fits the weights of a calibration of coverage on judged consults, and says how well they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from grounding.measuring import metrics
from grounding.measuring.judged import Row
from grounding.measuring.metrics import Numbers

FEATURES = (
    "term_share",
    "cosine_top",
    "cosine_margin",
    "lexical_margin",
    "legs_agree",
    "identifier_found",
    "identifier_missing",
    "fused_margin",
)
FOLDS = 5
L2 = 1.0
STEPS = 50
LEAST_HIGH = 20  # consults a level must hold before its precision counts


@dataclass(frozen=True, slots=True)
class Fit:
    intercept: float
    weights: Mapping[str, float]

    def probabilities(self, rows: Sequence[Row]) -> Numbers:
        weights = np.array([self.weights[name] for name in FEATURES])
        return _logistic(_features(rows) @ weights + self.intercept)


def fit(judged: Sequence[Row]) -> Fit:
    """Logistic regression by Newton's steps, L2 on standardised signals; the intercept goes free."""
    raw, truths = _features(judged), np.array([row.answerable for row in judged], dtype=float)
    weights = np.array([row.weight for row in judged])
    means = np.average(raw, axis=0, weights=weights)
    spreads = np.sqrt(np.average((raw - means) ** 2, axis=0, weights=weights))
    spreads[spreads < 1e-9] = 1.0
    table = np.column_stack([np.ones(len(raw)), (raw - means) / spreads])
    found = _newton(table, truths, weights)
    slopes = found[1:] / spreads
    intercept = float(found[0] - slopes @ means)
    return Fit(intercept, dict(zip(FEATURES, slopes.tolist(), strict=True)))


def _newton(table: Numbers, truths: Numbers, weights: Numbers) -> Numbers:
    penalty = np.diag([0.0, *[L2] * (table.shape[1] - 1)])
    found = np.zeros(table.shape[1])
    for _ in range(STEPS):
        said = _logistic(table @ found)
        slope = table.T @ (weights * (said - truths)) + penalty @ found
        bend = (table.T * (weights * said * (1 - said))) @ table + penalty
        step = np.linalg.solve(bend + 1e-9 * np.eye(len(found)), slope)
        found = found - step
        if float(np.abs(step).max()) < 1e-8:
            break
    return found


def out_of_fold(judged: Sequence[Row]) -> Numbers:
    """Each row's probability by weights that have not seen its group."""
    folds = _folds(judged)
    found = np.zeros(len(judged))
    for number in sorted(set(folds)):
        mine = [index for index, fold in enumerate(folds) if fold == number]
        others = [row for row, fold in zip(judged, folds, strict=True) if fold != number]
        found[mine] = fit(others).probabilities([judged[index] for index in mine])
    return found


def _folds(judged: Sequence[Row]) -> list[int]:
    """The largest groups first, each to the fold that has fewest rows."""
    sizes: dict[str, int] = {}
    for row in judged:
        sizes[row.group] = sizes.get(row.group, 0) + 1
    loads, places = [0] * FOLDS, dict[str, int]()
    for group in sorted(sizes, key=lambda name: (-sizes[name], name)):
        places[group] = loads.index(min(loads))
        loads[places[group]] += sizes[group]
    return [places[row.group] for row in judged]


def threshold(probabilities: Numbers, judged: Sequence[Row], precision: float) -> float | None:
    """The lowest probability from which on so many were answerable, by weight; None if there is none."""
    order = np.argsort(-probabilities)
    weights = np.array([row.weight for row in judged])[order]
    right = np.array([row.answerable for row in judged], dtype=float)[order]
    reached = np.cumsum(weights * right) / np.cumsum(weights) >= precision
    reached[: min(LEAST_HIGH, len(reached))] &= bool(len(reached) > LEAST_HIGH)
    if not reached.any():
        return None
    return float(probabilities[order][np.flatnonzero(reached)[-1]])


def quality(probabilities: Numbers, judged: Sequence[Row]) -> dict[str, Any]:
    there = [p for p, row in zip(probabilities, judged, strict=True) if row.answerable]
    return {
        "auroc_passage": metrics.auroc(there, _gone(probabilities, judged, "passage")),
        "auroc_document": metrics.auroc(there, _gone(probabilities, judged, "document")),
        "ece": metrics.calibration_error(
            probabilities.tolist(),
            [row.answerable for row in judged],
            [row.weight for row in judged],
        ),
    }


def _gone(probabilities: Numbers, judged: Sequence[Row], removed: str) -> list[float]:
    pairs = zip(probabilities, judged, strict=True)
    return [p for p, row in pairs if row.removed == removed]


def _features(judged: Sequence[Row]) -> Numbers:
    found = [asdict(row.signals) for row in judged]
    return np.array([[float(one[name]) for name in FEATURES] for one in found])


def _logistic(scores: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-np.clip(scores, -35, 35))))
