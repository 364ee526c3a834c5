"""An answer as the page shows it. Quotes come from the database at the moment of reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from grounding import evidence
from grounding.life import standing
from grounding.pages import coverage_words
from grounding.retrieval import search
from grounding.retrieval.search import Source
from opspilot.harness.models import Run, RunState
from opspilot.presentation.shapes import Source as Cited
from opspilot.presentation.shapes import State

_MARKUP = re.compile(r"`([^`\n]+)`|\*\*")


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a sentence, its Markdown emphasis or code drawn instead of spelled."""

    text: str
    code: bool = False
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the answer with the number of its source. `open_url` shows its citation beside
    the answer, `url` in the whole runbook; `rest` says which steps did not fit. `heading` names the
    section where another one begins."""

    text: str
    pieces: list[Piece]
    heading: str
    number: int
    url: str
    open_url: str
    title: str
    rest: str
    current: bool


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation open beside the answer: its passage in three, the quoted words in `marked`."""

    title: str
    heading: str
    version: int
    part: int
    before: str
    marked: str
    after: str
    url: str
    next_url: str


@dataclass(frozen=True, slots=True)
class Answer:
    lines: list[Line]
    citation: Citation | None
    sources: list[Cited]
    level_word: str
    level_state: State
    reasons: list[str]
    seconds: float
    hidden: int = 0
    gone: int = 0  # sentences whose document was deleted
    overdue: Sequence[str] = ()  # documents it cites whose review date has passed, in words


def answer(run: Run, *, readable: Collection[int], opened: int | None = None) -> Answer | None:
    """The answer, each sentence with its citation; None while there is none.

    `readable` are the collections of who looks, now: of any other there is a count and no word.
    `opened` numbers the sentence, counted from 1, whose citation stands beside it.
    """
    if run.state != RunState.ANSWERED:
        return None
    there = search.sources([s["chunk_id"] for s in run.answer["sentences"]])
    found = _readable(there, readable)
    sentences = [s for s in run.answer["sentences"] if s["chunk_id"] in found]
    order = list(dict.fromkeys(s["chunk_id"] for s in sentences))
    headings = _headings([found[sentence["chunk_id"]] for sentence in sentences])
    lines = [
        _line(place, sentence, found[sentence["chunk_id"]], order, current=place == opened)
        for place, sentence in enumerate(sentences, 1)
    ]
    lines = [replace(line, heading=words) for line, words in zip(lines, headings, strict=True)]
    drawn, word = coverage_words.level(run.answer["coverage"]["level"])
    return Answer(
        lines=lines,
        citation=_citation(lines, sentences, found, opened),
        sources=[_cited(found[chunk_id], sentences) for chunk_id in order],
        level_word=word,
        level_state=drawn,
        reasons=coverage_words.reasons(run.answer["coverage"]["reasons"]),
        seconds=run.answer["duration_ms"] / 1000,
        hidden=sum(s["chunk_id"] in there.keys() - found for s in run.answer["sentences"]),
        gone=sum(s["chunk_id"] not in there for s in run.answer["sentences"]),
        overdue=_overdue([found[chunk_id] for chunk_id in order]),
    )


def _overdue(sources: Sequence[Source]) -> list[str]:
    late = standing.overdue(source.document_id for source in sources)
    titles = {source.document_id: source.title for source in sources}
    return [f"{titles[pk]}: {evidence.overdue_words(day)}" for pk, day in late.items()]


def _readable(found: dict[int, Source], readable: Collection[int]) -> dict[int, Source]:
    return {pk: source for pk, source in found.items() if source.collection_id in readable}


def copied(shown: Answer, absolute: Callable[[str], str]) -> str:
    """The answer as text to paste elsewhere, each sentence with its number and every source."""
    said = [f"{line.text} [{line.number}]" for line in shown.lines]
    sources = [
        f"[{number}] {source.title}, {_('versão')} {source.version}, {_('trecho')} {source.part}: "
        f"{absolute(source.url)}"
        for number, source in enumerate(shown.sources, 1)
    ]
    return "\n".join([*said, "", _("Fontes"), *sources])


def nearest(run: Run, *, readable: Collection[int]) -> list[Cited]:
    """Titles close to a question that found no basis."""
    if run.state != RunState.ABSTAINED:
        return []
    ids = run.answer.get("nearest", [])
    found = _readable(search.sources(ids), readable)
    kept: dict[int, Source] = {}
    for chunk_id in ids:
        if chunk_id in found:
            kept.setdefault(found[chunk_id].document_id, found[chunk_id])
    return [
        Cited(source.title, evidence.passage_url(source), version=source.version_number,
              sub=source.collection_name)
        for source in list(kept.values())[:3]
    ]  # fmt: skip


def _line(
    place: int, sentence: dict[str, Any], source: Source, order: list[int], *, current: bool
) -> Line:
    return Line(
        text=sentence["text"],
        pieces=list(_pieces(sentence["text"])),
        heading="",
        number=order.index(sentence["chunk_id"]) + 1,
        url=evidence.passage_url(source, start=sentence["start"], end=sentence["end"]),
        open_url=f"?citacao={place}#citacao",
        title=source.title,
        rest=_rest(sentence.get("rest")),
        current=current,
    )


def _headings(sources: list[Source]) -> list[str]:
    """The last heading above each passage, where it is another than the one before; none at all
    when the whole answer stands under one."""
    places = [(source.version_id, source.heading_path[-1:]) for source in sources]
    if len(set(places)) < 2:
        return [""] * len(places)
    before = [None, *places]
    return [
        "".join(place[1]) if place != last else ""
        for place, last in zip(places, before, strict=False)
    ]


def _rest(numbers: list[int] | None) -> str:
    if not numbers:
        return ""
    first, last = numbers
    if first == last:
        return _("continua: passo %(first)s no runbook") % {"first": first}
    return _("continua: passos %(first)s a %(last)s no runbook") % {"first": first, "last": last}


def _citation(
    lines: list[Line],
    sentences: list[dict[str, Any]],
    found: dict[int, Source],
    opened: int | None,
) -> Citation | None:
    if opened is None or not 1 <= opened <= len(sentences):
        return None
    sentence = sentences[opened - 1]
    source = found[sentence["chunk_id"]]
    start, end = sentence["start"] - source.start, sentence["end"] - source.start
    return Citation(
        title=source.title,
        heading=source.heading_path[-1] if source.heading_path else "",
        version=source.version_number,
        part=source.ordinal + 1,
        before=source.text[:start],
        marked=source.text[start:end],
        after=source.text[end:],
        url=lines[opened - 1].url,
        next_url=lines[opened].open_url if opened < len(lines) else "",
    )


def _pieces(text: str) -> Iterator[Piece]:
    """The sentence split at its markup. A lone pair of asterisks stays as it is written."""
    bold = sum(match.group() == "**" for match in _MARKUP.finditer(text)) % 2 == 0
    strong, start = False, 0
    for match in _MARKUP.finditer(text):
        if match.group() == "**" and not bold:
            continue
        if match.start() > start:
            yield Piece(text[start : match.start()], strong=strong)
        if match.group(1):
            yield Piece(match.group(1), code=True)
        else:
            strong = not strong
        start = match.end()
    if start < len(text):
        yield Piece(text[start:], strong=strong)


def _cited(source: Source, sentences: list[dict[str, Any]]) -> Cited:
    first = next(s for s in sentences if s["chunk_id"] == source.chunk_id)
    return Cited(
        title=source.title,
        url=evidence.passage_url(source, start=first["start"], end=first["end"]),
        version=source.version_number,
        part=source.ordinal + 1,
        sub=source.collection_name,
    )
