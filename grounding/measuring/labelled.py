"""Folders of labelled questions: `queries.jsonl`, `qrels.tsv`, and a corpus or documents elsewhere."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grounding.reading.analysis import Language, told_language

QUESTIONS, LABELS, CORPUS, QUOTES = "queries.jsonl", "qrels.tsv", "corpus.jsonl", "quotes.jsonl"


class UnreadableFolderError(Exception):
    """The folder is not one of labelled questions; the text says what it lacks."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The words of a document that support a label."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question; `grades` is empty where no document answers it."""

    ref: str
    text: str
    language: Language
    slices: tuple[str, ...]
    grades: Mapping[str, int]
    quotes: tuple[Quote, ...] = ()

    @property
    def answerable(self) -> bool:
        return bool(self.grades)


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a corpus. `group` is the document that it is a part of."""

    name: str
    group: str
    text: str


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds. Without labels it can be searched with, not judged."""

    name: str
    questions: list[Labelled]
    passages: list[Passage] = field(default_factory=list)
    has_labels: bool = True
    sha256: str = ""


def read(directory: Path) -> Folder:
    if not (directory / QUESTIONS).is_file():
        raise UnreadableFolderError(f"{QUESTIONS} is missing")
    grades = _grades(directory / LABELS)
    quotes = _quotes(directory / QUOTES)
    questions = [_question(row, grades, quotes) for row in _lines(directory / QUESTIONS)]
    if not questions:
        raise UnreadableFolderError(f"{QUESTIONS} holds no question")
    return Folder(
        name=directory.resolve().name,
        questions=questions,
        passages=[_passage(row) for row in _lines(directory / CORPUS)],
        has_labels=(directory / LABELS).is_file(),
        sha256=_fingerprint(directory),
    )


def documents_below(directory: Path) -> list[Path]:
    """The files of every `runbooks-*/files` in the folder; their names are relative to it."""
    found = sorted(path for path in directory.glob("runbooks-*/files/**/*") if path.is_file())
    if not found:
        raise UnreadableFolderError(f"no runbooks-*/files below {directory.name}")
    return found


def _question(
    row: Mapping[str, Any],
    grades: Mapping[str, Mapping[str, int]],
    quotes: Mapping[str, Sequence[Quote]],
) -> Labelled:
    ref, text = str(row["id"]), str(row["text"])
    language: Language = row.get("lang") or told_language(text) or "pt"
    slices = [language, *([row["slice"]] if row.get("slice") else [])]
    return Labelled(
        ref, text, language, tuple(slices), grades.get(ref, {}), tuple(quotes.get(ref, ()))
    )


def _passage(row: Mapping[str, Any]) -> Passage:
    """As the Markdown a person would have sent: its document's title stands above it."""
    title, text = str(row.get("title") or ""), str(row["text"])
    heading = " ".join(title.replace("_", " ").split())
    return Passage(
        name=str(row["id"]),
        group=title or str(row["id"]),
        text=f"# {heading}\n\n{text}\n" if heading else f"{text}\n",
    )


def _grades(path: Path) -> dict[str, dict[str, int]]:
    """Tab-separated: question, document, grade; the first line may be a heading."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    if not path.is_file():
        return found
    for line in path.read_text(encoding="utf-8").splitlines():
        ref, name, grade, *_ = [*line.split("\t"), "", ""]
        if grade.strip().lstrip("-").isdigit() and int(grade) > 0:
            found[ref][name] = int(grade)
    return found


def _quotes(path: Path) -> dict[str, list[Quote]]:
    found: dict[str, list[Quote]] = defaultdict(list)
    for row in _lines(path):
        found[str(row["id"])].append(Quote(str(row["path"]), str(row["quote"])))
    return found


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _parsed(line, f"{path.name}, line {number}")


def _parsed(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as exc:
        raise UnreadableFolderError(f"{where} is not JSON") from exc
    if not isinstance(row, dict):
        raise UnreadableFolderError(f"{where} is not an object")
    return row


def _fingerprint(directory: Path) -> str:
    """Of the questions, the labels and the corpus: what makes a folder the same one elsewhere."""
    digest = hashlib.sha256()
    for name in (QUESTIONS, LABELS, CORPUS):
        path = directory / name
        digest.update(path.read_bytes() if path.is_file() else b"")
        digest.update(b"\0")
    return digest.hexdigest()
