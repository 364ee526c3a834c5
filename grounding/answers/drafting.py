"""Answers by extraction: the sentences of the retrieved chunks that best match the question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from grounding.answers.citations import Sentence
from grounding.reading.aims import Aim
from grounding.reading.analysis import QueryTerms, terms
from grounding.reading.excerpts import Excerpt, excerpts, reading

MAX_SENTENCES = 6
_WARNINGS = 2
_PASSAGES = 13  # the best document whole, or the best of several
_EMBEDDED = 16
_RELATIVE_FLOOR = 0.6
_TERM_WEIGHT = 0.6
_RANK_WEIGHT = 0.8
_SAME = 0.8
_HEADINGS = 3
_FIT = 0.25

_INSTRUCTS = re.compile(
    r"\b(?:passos?|antes\sde|como\s(?!voltar|desfazer)|procediment\w+|o\sque\sfazer|steps?|before"
    r"|how\sto\s(?!roll|undo)|what\sto\sdo|procedures?|mitigation|remediation|resolution)\b",
    re.IGNORECASE | re.VERBOSE,
)
_DESCRIBES = re.compile(
    r"\b(?:sintomas?|symptoms?|contexto?|overview|vis[ãa]o\sgeral|background|introdu\w+|about)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:only\s(?:when|if|by)|unless|when|s[óo]\s(?:quando|se)|somente|quando)\b", re.IGNORECASE
)
_CODE = re.compile(r"`([^`\n]{3,60})`")

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved chunk, best first in the list it comes in; `start` is its place in the version."""

    chunk_id: int
    document_id: int
    start: int
    text: str
    heading_path: tuple[str, ...] = ()
    lead: str = ""  # of a fence or a table that was cut: repeated around the text, never quoted
    tail: str = ""

    def excerpts(self) -> list[Excerpt]:
        """Of the text alone, read as what stands around it says: a line inside a fence is no prose."""
        around = len(self.lead)
        return [
            replace(found, start=found.start - around)
            for found in excerpts(f"{self.lead}{self.text}{self.tail}")
            if around <= found.start and found.end <= around + len(self.text)
        ]


@dataclass(frozen=True, slots=True)
class _Candidate:
    rank: int
    passage: Passage
    excerpt: Excerpt
    words: frozenset[str]
    overlap: float
    fit: float

    @property
    def section(self) -> tuple[int, str]:
        path = self.passage.heading_path
        return self.passage.document_id, self.excerpt.heading or (path[-1] if path else "")

    @property
    def names(self) -> frozenset[str]:
        return frozenset(_CODE.findall(self.excerpt.quote))


def draft(
    question_terms: QueryTerms,
    question_vector: Sequence[float],
    candidates: Sequence[Passage],
    embed: Embed,
    *,
    weights: Mapping[str, float] | None = None,
) -> list[Sentence]:
    """Up to six verbatim excerpts. `weights` is the IDF of the question's terms.

    It selects and never writes: each text is in its chunk, word for word. They come in document
    order, but what warns comes first where the asker is about to act. A step may stand here alone:
    `steps.from_the_first` gives it the ones before it.
    """
    found = _candidates(question_terms, candidates[:_PASSAGES], weights or {})
    near = sorted(found, key=lambda item: -item.overlap - item.fit + item.rank * 0.05)[:_EMBEDDED]
    if not near:
        return []
    vectors = embed([_in_context(item) for item in near])
    scores = [
        _score(item, _dot(question_vector, vector))
        for item, vector in zip(near, vectors, strict=True)
    ]
    best = sorted(zip(scores, near, strict=True), key=lambda pair: -pair[0])
    chosen = _with_warnings(_chosen(best), found)
    acts = question_terms.aim in ("action", "permission")
    return _in_order(chosen, candidates, warnings_first=acts)[:MAX_SENTENCES]


def _candidates(
    question: QueryTerms, passages: Sequence[Passage], weights: Mapping[str, float]
) -> list[_Candidate]:
    asked = {term: weights.get(term, 1.0) for term in question.terms}
    total = sum(asked.values()) or 1.0
    found: list[_Candidate] = []
    for rank, passage in enumerate(passages):
        for excerpt in passage.excerpts():
            readable = f"{excerpt.header}\n{excerpt.text}"
            words = frozenset(terms(readable, languages=("pt", "en")))
            overlap = sum(weight for term, weight in asked.items() if term in words) / total
            fit = _fit(question.aim, passage, excerpt)
            if passage.document_id != passages[0].document_id:
                fit = min(fit, 0.0)  # the right kind of sentence about something else is no answer
            found.append(_Candidate(rank, passage, excerpt, words, overlap, fit))
    return found


def _fit(aim: Aim, passage: Passage, excerpt: Excerpt) -> float:
    """How much its kind and its section's heading make it an answer to such a question."""
    if aim == "fact":
        return 0.0
    if aim == "moment" and _CONDITION.search(excerpt.text):
        return 2 * _FIT if excerpt.kind == "list" else _FIT
    if excerpt.warns:
        return 2 * _FIT if aim == "permission" else _FIT
    path = passage.heading_path
    heading = excerpt.heading or (path[-1] if path else "")
    if _INSTRUCTS.search(heading):
        return 0.0 if aim == "permission" else _FIT
    if excerpt.kind == "list" or excerpt.advises:
        return 0.0
    introduces = len(path) == 1 and not excerpt.heading and excerpt.kind == "prose"
    return -_FIT if introduces or _DESCRIBES.search(heading) else 0.0


def _in_context(item: _Candidate) -> str:
    return "\n".join(
        [*item.passage.heading_path[-_HEADINGS:], item.excerpt.header, item.excerpt.text]
    )


def _score(item: _Candidate, cosine: float) -> float:
    return cosine + _TERM_WEIGHT * item.overlap + item.fit - _RANK_WEIGHT * item.rank / _PASSAGES


def _chosen(best: Sequence[tuple[float, _Candidate]]) -> list[_Candidate]:
    floor = best[0][0] * _RELATIVE_FLOOR
    chosen: list[_Candidate] = []
    for score, item in best:
        if len(chosen) == MAX_SENTENCES or score < floor:
            break
        if not _said(item, chosen):
            chosen.append(item)
    answers = any(item.fit > 0 for item in chosen)
    return [item for item in chosen if item.fit >= 0 or item.excerpt.kind == "row" or not answers]


def _repeats(item: _Candidate, other: _Candidate) -> bool:
    """Says the same, or is a second row of one table."""
    if item.passage.chunk_id == other.passage.chunk_id:
        one, two = item.excerpt, other.excerpt
        if (one.kind == two.kind == "row") or (one.start < two.end and two.start < one.end):
            return True
    both = len(item.words & other.words)
    return both >= _SAME * max(1, min(len(item.words), len(other.words)))


def _with_warnings(chosen: list[_Candidate], found: Sequence[_Candidate]) -> list[_Candidate]:
    """What must not be done where something was chosen takes the place of the last chosen."""
    missing: list[_Candidate] = []
    for item in sorted(found, key=lambda item: -item.overlap):
        known = [*chosen, *missing]
        if item.excerpt.warns and _guards(item, chosen) and not _said(item, known):
            missing.append(item)
    missing = missing[:_WARNINGS]
    return [*missing, *chosen[: MAX_SENTENCES - len(missing)]]


def _guards(item: _Candidate, chosen: Iterable[_Candidate]) -> bool:
    """In the section of one chosen, or about the same names in its document."""
    return any(
        item.section == other.section
        or (item.section[0] == other.section[0] and item.names & other.names)
        for other in chosen
    )


def _said(item: _Candidate, chosen: Iterable[_Candidate]) -> bool:
    return any(_repeats(item, other) for other in chosen)


def _in_order(
    chosen: Sequence[_Candidate], passages: Sequence[Passage], *, warnings_first: bool
) -> list[Sentence]:
    documents = list(dict.fromkeys(passage.document_id for passage in passages))
    ordered = sorted(
        chosen,
        key=lambda item: (
            documents.index(item.passage.document_id),
            not (warnings_first and item.excerpt.warns),
            item.passage.start,
            item.excerpt.start,
        ),
    )
    return [
        Sentence(
            reading(item.excerpt.quote),
            item.passage.chunk_id,
            item.excerpt.quote,
            at=item.excerpt.start,
        )
        for item in ordered
    ]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
