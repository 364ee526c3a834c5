"""From sources to an answer a person may see: drafted, checked against the database, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grounding import answers, citations, embedding, search
from grounding.answers import Passage
from grounding.citations import Sentence
from grounding.consult import Grounded, Query

RULE = "extrativo-2"  # the answerer's version: its hash stands on each trail row


@dataclass(frozen=True, slots=True)
class Answer:
    """Sentences and the sources they cite; no sentence = abstention."""

    sentences: list[Sentence]
    sources: dict[int, search.Source]


def draft(*, query: Query, grounded: Grounded) -> Answer:
    """Pick the sentences that answer. Nothing is drafted where nothing supports an answer."""
    sources = {source.chunk_id: source for source in grounded.sources}
    if grounded.coverage.level == "nenhuma":
        return Answer([], sources)
    passages = [
        Passage(s.chunk_id, s.document_id, s.start, s.text, s.heading_path)
        for s in grounded.sources
    ]
    sentences = answers.draft(
        query.terms, query.vector, passages, _embed(grounded), weights=grounded.idf
    )
    return Answer(sentences, sources)


def checked(answer: Answer) -> Answer:
    """Re-read the cited chunks under the tenant of now and keep only what stands in them."""
    authorised = search.sources(list(answer.sources))
    texts = {chunk_id: source.text for chunk_id, source in authorised.items()}
    return Answer(citations.check(answer.sentences, texts), authorised)


def as_json(answer: Answer, grounded: Grounded) -> dict[str, Any]:
    """What the run keeps: sentences with spans, the coverage, and the nearest titles."""
    return {
        "sentences": [_sentence(item, answer.sources[item.chunk_id]) for item in answer.sentences],
        "coverage": {
            "level": grounded.coverage.level,
            "probability": grounded.coverage.probability,
            "reasons": list(grounded.coverage.reasons),
            "calibration": grounded.coverage.calibration,
        },
        "nearest": [source.chunk_id for source in grounded.sources[:5]],
    }


def _sentence(item: Sentence, source: search.Source) -> dict[str, Any]:
    start = source.start + source.text.index(item.quote)
    return {
        "text": item.text,
        "chunk_id": item.chunk_id,
        "version_id": source.version_id,
        "sha256": source.sha256,
        "start": start,
        "end": start + len(item.quote),
    }


def _embed(grounded: Grounded) -> answers.Embed:
    """Candidates are embedded as passages are: in English, by the language of the best source."""
    language = grounded.sources[0].language if grounded.sources else "en"
    return lambda texts: embedding.embed_passages(texts, "pt" if language == "pt" else "en")
