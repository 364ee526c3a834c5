"""How likely the retrieved chunks hold the answer: a calibrated level, with its reasons.

A level is a statement about retrieval on the set the calibration was fitted on. It never says that
an answer is true.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import exp
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from grounding.reading.analysis import QueryTerms
from grounding.retrieval.fusion import Scored

Level = Literal["alta", "media", "baixa", "nenhuma"]
CALIBRATION = "ops-2"
SEED_CALIBRATION = "seed-gap-1"
_FOLDER = Path(__file__).parent / "calibrations"
BEST = 3  # how many of the best passages are read
_NEAR = 5


@dataclass(frozen=True, slots=True)
class Signals:
    """Shares are 0..1 and weighted by IDF; margins are differences of a leg's own scores."""

    term_share: float
    cosine_top: float
    cosine_margin: float
    lexical_margin: float
    legs_agree: bool
    identifier_found: bool
    identifier_missing: bool
    languages_differ: bool
    found: bool = True
    fused_margin: float = 0.0
    all_portuguese: bool = False  # the question and the best passage


@dataclass(frozen=True, slots=True)
class Coverage:
    level: Level
    probability: float
    reasons: tuple[str, ...]
    calibration: str


def measure(
    *,
    question: QueryTerms,
    weights: Mapping[str, float],
    known: frozenset[str],
    lexical: Sequence[Scored],
    vector: Sequence[Scored],
    fused: Sequence[Scored],
    chunk_terms: Mapping[int, frozenset[str]],
    languages_differ: bool,
) -> Signals:
    """`weights` is the IDF of every term of the question, `known` those that the corpus has.

    `chunk_terms` holds the terms of the first BEST of `fused`; legs come best first.
    """
    best = [chunk_terms.get(item.chunk_id, frozenset()) for item in fused[:BEST]]
    asked = [(*question.english, *question.log), (*question.own, *question.log)]
    names = frozenset(question.identifiers)
    return Signals(
        term_share=max((_share(a, t, weights) for a in asked for t in best), default=0.0),
        cosine_top=vector[0].score if vector else 0.0,
        cosine_margin=_margin([item.score for item in vector[:_NEAR]]),
        lexical_margin=_document_margin(lexical),
        legs_agree=_agree(lexical, vector),
        identifier_found=any(names & words for words in best[:1]),
        identifier_missing=bool(names - known),
        languages_differ=languages_differ,
        found=bool(fused),
        fused_margin=_margin([item.score for item in fused[:_NEAR]]),
    )


def assess(signals: Signals, *, calibration: str = CALIBRATION) -> Coverage:
    data = _calibration(calibration)
    if not signals.found:
        return Coverage("nenhuma", 0.0, ("nothing_found",), data["id"])
    mine = data["groups"][_group(signals)] if "groups" in data else data
    values = asdict(signals)
    score = mine["intercept"] + sum(
        weight * float(values[name]) for name, weight in mine["weights"].items()
    )
    probability = 1 / (1 + exp(-score))
    level = _level(probability, mine["thresholds"])
    return Coverage(level, round(probability, 4), _reasons(signals, data["reasons"]), data["id"])


def _group(signals: Signals) -> str:
    """A word in common says most in one language, and least between a question and a passage that
    have different ones: each has its own weights."""
    if signals.languages_differ:
        return "across"
    return "portuguese" if signals.all_portuguese else "english"


def assess_by_gap(scores: Sequence[float]) -> Coverage:
    """The reference heuristic: a high best score with the others close behind it is good.

    Kept to be compared with; for factual questions the gap points the other way.
    """
    limits = _calibration(SEED_CALIBRATION)["thresholds"]
    top = max(scores, default=0.0)
    gap = top - min(scores, default=0.0)
    level: Level = "media" if top >= limits["high"] else "baixa"
    if top < limits["minimum"]:
        level = "nenhuma"
    elif top >= limits["high"] and gap < limits["gap"]:
        level = "alta"
    return Coverage(level, round(max(0.0, min(1.0, top - gap)), 4), (), SEED_CALIBRATION)


def _share(asked: Sequence[str], present: frozenset[str], weights: Mapping[str, float]) -> float:
    terms = dict.fromkeys(asked)
    total = sum(weights.get(term, 0.0) for term in terms)
    if total <= 0:
        return 0.0
    return sum(weights.get(term, 0.0) for term in terms if term in present) / total


def _margin(scores: Sequence[float]) -> float:
    """How far the best stands above the next ones."""
    return scores[0] - fmean(scores[1:]) if len(scores) > 1 else 0.0


def _document_margin(leg: Sequence[Scored]) -> float:
    """The margin of the best document over the next four, as a share of its score."""
    best: dict[int, float] = {}
    for item in leg:
        best.setdefault(item.document_id, item.score)
    scores = list(best.values())[:_NEAR]
    return _margin(scores) / scores[0] if scores and scores[0] > 0 else 0.0


def _agree(lexical: Sequence[Scored], vector: Sequence[Scored]) -> bool:
    """The legs share a document among the first of each."""
    first = {item.document_id for item in lexical[:BEST]}
    return bool(first & {item.document_id for item in vector[:BEST]})


def _level(probability: float, thresholds: Mapping[str, float]) -> Level:
    if probability >= thresholds["alta"]:
        return "alta"
    if probability >= thresholds["media"]:
        return "media"
    return "baixa" if probability >= thresholds["baixa"] else "nenhuma"


def _reasons(signals: Signals, limits: Mapping[str, float]) -> tuple[str, ...]:
    reasons = [
        "terms_found" if signals.term_share >= limits["term_share"] else "terms_missing",
        "close_passage" if signals.cosine_top >= limits["cosine_top"] else "no_close_passage",
        "legs_agree" if signals.legs_agree else "legs_disagree",
    ]
    if signals.identifier_missing:
        reasons.append("unknown_identifier")
    if signals.languages_differ:
        reasons.append("languages_differ")
    return tuple(reasons)


@cache
def _calibration(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return data
