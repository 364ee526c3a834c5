"""From sources to an answer a person may see: drafted, checked against the database, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from grounding.answers import citations, drafting, steps
from grounding.answers.citations import Sentence
from grounding.answers.drafting import Passage
from grounding.answers.steps import Section
from grounding.reading.analysis import stored
from grounding.retrieval import embedding, search, spaces, texts
from grounding.retrieval.consult import Grounded, Query

RULE = "extrativo-3"  # the answerer's version: its hash stands on each trail row
REACH = 40  # passages before and after a cited one in which the rest of its list is looked for


@dataclass(frozen=True, slots=True)
class Answer:
    """Sentences and the sources they cite; no sentence = abstention."""

    sentences: list[Sentence]
    sources: dict[int, search.Source]


def draft(*, query: Query | None, grounded: Grounded) -> Answer:
    """Pick the sentences that answer. Nothing is drafted where nothing supports an answer."""
    sources = {source.chunk_id: source for source in grounded.sources}
    if query is None or grounded.coverage.level == "nenhuma":
        return Answer([], sources)
    passages = [_passage(source) for source in grounded.sources]
    sentences = drafting.draft(
        query.terms, query.vector, passages, _embed(query, grounded), weights=grounded.idf
    )
    return Answer(sentences, sources)


def checked(answer: Answer, *, worded: bool = False) -> Answer:
    """Re-read what is cited under the tenant of now, complete its lists of steps from the first on,
    and keep only what stands in the text. Nothing of it is deleted before the transaction ends.

    `worded`: the sentences are a model's, and stay as many as they are.
    """
    texts.hold()
    authorised = search.sources(list(answer.sources))
    sentences = citations.check(answer.sentences, _texts(authorised))
    if worded:
        return Answer(sentences, authorised)
    sections: list[Section] = []
    for chunk_id in dict.fromkeys(item.chunk_id for item in sentences):
        if all(passage.chunk_id != chunk_id for found in sections for passage in found.passages):
            section, sources = _section(authorised[chunk_id])
            sections.append(section)
            authorised |= sources
    completed = steps.from_the_first(sentences, sections)
    return Answer(citations.check(completed, _texts(authorised)), authorised)


def _section(cited: search.Source) -> tuple[Section, dict[int, search.Source]]:
    """The passages of the same version, together with the cited one and under the same headings."""
    first = max(0, cited.ordinal - REACH)
    ids = search.siblings(version_id=cited.version_id, limit=cited.ordinal + REACH + 1)[first:]
    found = search.sources(ids)
    near = sorted(found.values(), key=lambda source: source.ordinal)
    groups = [list(group) for _path, group in groupby(near, key=lambda s: s.heading_path)]
    mine = next(group for group in groups if cited in group)
    section = Section([_passage(s) for s in mine], opens=mine[0].ordinal in (0, *_openings(groups)))
    return section, {source.chunk_id: source for source in mine}


def _openings(groups: list[list[search.Source]]) -> list[int]:
    """Ordinals at which a section begins for certain: another one stands before them."""
    return [group[0].ordinal for group in groups[1:]]


def _passage(source: search.Source) -> Passage:
    return Passage(
        source.chunk_id,
        source.document_id,
        source.start,
        source.text,
        source.heading_path,
        source.lead,
        source.tail,
    )


def _texts(sources: Mapping[int, search.Source]) -> dict[int, str]:
    return {chunk_id: source.text for chunk_id, source in sources.items()}


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
    start = source.start + citations.place(item, source.text)
    rest = {"rest": list(item.rest)} if item.rest else {}
    return {
        "text": item.text,
        "chunk_id": item.chunk_id,
        "version_id": source.version_id,
        "sha256": source.sha256,
        "start": start,
        "end": start + len(item.quote),
    } | rest


def _embed(query: Query, grounded: Grounded) -> drafting.Embed:
    """Candidates are embedded as passages are, in the question's space: in English, by the language
    of the best source. Where nobody can embed in it any more, words alone decide."""
    language = stored(grounded.sources[0].language if grounded.sources else "")
    embedder = spaces.embedder_of(query.space) if query.vector else None
    if embedder is None:
        return lambda texts: [list(query.vector) for _text in texts]
    return lambda texts: embedding.embed_passages(texts, language, using=embedder)
