"""The figures of an evaluation as one JSON object: settings, slices, coverage, answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from grounding.measuring import fitting, metrics
from grounding.measuring.answering import Answered
from grounding.measuring.asking import Asked, Corpus
from grounding.measuring.judged import SHARES, Judgement, Row
from grounding.measuring.metrics import Scores

SETTINGS = ("chosen", "lexical", "dense", "rrf")
REFERENCES = ("lexical", "dense", "rrf")


def figures(asked: Sequence[Asked]) -> dict[str, Any]:
    """Each setting, the paired differences on nDCG@10, and the chosen one by slice."""
    judged = [one for one in asked if one.question.answerable]
    if not judged:
        return {}
    found = {name: _scores(judged, name) for name in SETTINGS}
    ours = metrics.ndcg_of(found["chosen"])
    return {
        "questions": len(asked),
        "answerable": len(judged),
        **{name: setting(found[name]) | _paces(judged, name) for name in SETTINGS},
        "paired_ndcg@10": {
            name: metrics.difference(ours, metrics.ndcg_of(found[name])) for name in REFERENCES
        },
        "slices": slices(judged),
    }


def setting(found: Sequence[Scores]) -> dict[str, Any]:
    return metrics.means(found) | {
        "intervals": {name: list(pair) for name, pair in metrics.intervals(found).items()}
    }


def slices(judged: Sequence[Asked]) -> dict[str, Any]:
    """The chosen setting for each language and each slice that the data name."""
    names = sorted({name for one in judged for name in one.question.slices})
    members = {name: [one for one in judged if name in one.question.slices] for name in names}
    return {
        name: {"questions": len(mine)} | setting(_scores(mine, "chosen")) | _paces(mine, "chosen")
        for name, mine in members.items()
    }


def coverage(asked: Sequence[Asked]) -> dict[str, Any]:
    """Of the calibration in force. `alta_right` counts consults whose answer was there to be found."""
    judgements = [each for one in asked for each in one.judgements]
    if not judgements:
        return {}
    whole = [each for each in judgements if not each.removed]
    near = [each for each in judgements if each.removed != "document"]
    high = [each for each in near if each.coverage.level == "alta"]
    return {
        "calibration": judgements[0].coverage.calibration,
        "auroc_passage": _auroc(judgements, "passage"),
        "auroc_document": _auroc(judgements, "document"),
        "ece": metrics.calibration_error(
            [each.coverage.probability for each in judgements],
            [each.answerable for each in judgements],
            [SHARES[each.removed] for each in judgements],
        ),
        "alta_right": metrics.share(sum(each.answerable for each in high), len(high)),
        "alta_found": metrics.share(
            sum(each.found for each in high if each.answerable),
            sum(each.answerable for each in high),
        ),
        "alta": metrics.share(
            sum(each.coverage.level == "alta" for each in whole if each.answerable),
            sum(each.answerable for each in whole),
        ),
        "seed_gap": _seed_gap(judgements),
    }


def rows(asked: Iterable[Asked], corpus: Corpus) -> Iterator[Row]:
    """For fitting: a question's consults with the document that they must stay together by."""
    for one in asked:
        name = min(one.question.grades, default=one.question.ref)
        for judgement in one.judgements:
            yield Row(
                question=one.question.ref,
                group=corpus.groups.get(name, name),
                removed=judgement.removed,
                answerable=judgement.answerable,
                signals=judgement.signals,
                weight=SHARES[judgement.removed],
            )


def cross_validated(asked: Sequence[Asked], corpus: Corpus) -> dict[str, Any]:
    """What weights fitted on four fifths of the documents are worth on the last fifth."""
    judged = list(rows(asked, corpus))
    if len({row.group for row in judged}) < fitting.FOLDS:
        return {}
    return fitting.quality(fitting.out_of_fold(judged), judged) | {"folds": fitting.FOLDS}


def answers(asked: Sequence[Asked], answered: Sequence[Answered]) -> dict[str, Any]:
    """By the drafted answers where some were drafted, else by the level of coverage alone."""
    if answered:
        rows = [(one.question.answerable, one.answered) for one in answered]
    else:
        rows = [(one.question.answerable, _passes(one)) for one in asked if one.judgements]
    supported = [one.supported for one in answered if one.supported]
    return {
        "answered_by": "draft" if answered else "coverage",
        "refused_unanswerable": _share(not said for answerable, said in rows if not answerable),
        "answered_answerable": _share(said for answerable, said in rows if answerable),
        "support@1": _share(each[0] for each in supported),
        "support@any": _share(any(each) for each in supported),
    }


def _passes(one: Asked) -> bool:
    return one.judgements[0].coverage.level != "nenhuma"


def _share(values: Iterable[bool]) -> float | None:
    found = list(values)
    return metrics.share(sum(found), len(found))


def _auroc(judgements: Sequence[Judgement], removed: str) -> float | None:
    return metrics.auroc(*_apart(judgements, removed, "probability"))


def _apart(
    judgements: Sequence[Judgement], removed: str, value: str
) -> tuple[list[float], list[float]]:
    """What was answerable as it stands, and the same with what answers it taken away."""
    there = [_value(each, value) for each in judgements if each.answerable]
    gone = [_value(each, value) for each in judgements if each.removed == removed]
    return there, gone


def _value(judgement: Judgement, name: str) -> float:
    if name == "probability":
        return judgement.coverage.probability
    return judgement.gap_probability


def _seed_gap(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """The reference heuristic on the same consults."""
    return {
        "auroc_passage": metrics.auroc(*_apart(judgements, "passage", "gap")),
        "auroc_document": metrics.auroc(*_apart(judgements, "document", "gap")),
    }


def _scores(asked: Sequence[Asked], name: str) -> list[Scores]:
    return [metrics.scores(one.ranked[name], one.question.grades) for one in asked]


def _paces(asked: Sequence[Asked], name: str) -> dict[str, float]:
    """Of the search alone; translating and embedding the question stand apart."""
    ms, apart = [one.ms[name] for one in asked], [one.embedding_ms[name] for one in asked]
    return {
        "p50_ms": metrics.percentile(ms, 0.5),
        "p95_ms": metrics.percentile(ms, 0.95),
        "embedding_p50_ms": metrics.percentile(apart, 0.5),
    }
