"""An answer by a model: what it is told, the shape it must answer in, and the check it must pass.

The model words the sentences; what each one rests on is checked here against the passages it was
shown. One citation that does not hold refuses the whole answer: a model that made one up may have
made up the rest. That a quote supports its sentence is not checked, and the page says so.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from grounding.answers.citations import Sentence, is_long_enough
from opspilot.presentation.normal_form import nfc

VERSION = "resposta-1"
MAX_SENTENCES = 6
MAX_TEXT = 600  # characters of a sentence
SHOWN = 8  # passages
_MIN_LETTERS = 4  # or digits of a quote: a table's rule is in every table
_PIECE = 12  # characters of a quote that are looked for elsewhere
_HIDDEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")

Fault = Literal[
    "not_the_shape",
    "no_citation",
    "unknown_passage",
    "passage_twice",
    "quote_too_short",
    "quote_of_another",
    "quote_stitched",
    "quote_invented",
]

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["sentences"],
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["text", "passage", "quote"],
                "properties": {
                    "text": {"type": "string"},
                    "passage": {"type": "integer"},
                    "quote": {"type": "string"},
                },
            },
        }
    },
}


class RefusedOutputError(Exception):
    """The answer is not shown; `fault` says which check it failed."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault: Fault = fault


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage as the model sees it. Its number there says nothing of the database."""

    chunk_id: int
    title: str
    heading_path: tuple[str, ...]
    text: str


@cache
def instruction() -> str:
    file = Path(__file__).parent / "instructions" / f"{VERSION}.md"
    return file.read_text(encoding="utf-8")


@cache
def instruction_hash() -> str:
    """SHA-256 of the text as it is sent: it stands on the trail's row."""
    return hashlib.sha256(instruction().encode()).hexdigest()


def data(question: str, passages: Sequence[Shown]) -> str:
    """The message: JSON, so that no text of a passage can end its own field."""
    shown = [
        {
            "id": number,
            "title": passage.title,
            "section": list(passage.heading_path),
            "text": passage.text,
        }
        for number, passage in enumerate(passages, 1)
    ]
    return json.dumps({"question": question, "passages": shown}, ensure_ascii=False)


def sentences(content: str, passages: Sequence[Shown]) -> list[Sentence]:
    """The answer's sentences, each with its quote's place. Empty: the model found no answer.

    Raises RefusedOutputError.
    """
    found = _parsed(content)
    numbers = [one["passage"] for one in found]
    if any(not 1 <= number <= len(passages) for number in numbers):
        raise RefusedOutputError("unknown_passage")
    if len(set(numbers)) < len(numbers):
        raise RefusedOutputError("passage_twice")
    return [_sentence(one, passages) for one in found]


def _parsed(content: str) -> list[dict[str, Any]]:
    """What the schema promised, looked at again: a server may not keep to it."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as exc:
        raise RefusedOutputError("not_the_shape") from exc
    if not isinstance(found, dict) or found.keys() != {"sentences"}:
        raise RefusedOutputError("not_the_shape")
    items = found["sentences"]
    if not isinstance(items, list) or len(items) > MAX_SENTENCES:
        raise RefusedOutputError("not_the_shape")
    if not all(_has_the_shape(one) for one in items):
        raise RefusedOutputError("not_the_shape")
    return items


def _has_the_shape(one: object) -> bool:
    return (
        isinstance(one, dict)
        and one.keys() == {"text", "passage", "quote"}
        and isinstance(one["text"], str)
        and isinstance(one["quote"], str)
        and type(one["passage"]) is int
        and 0 < len(one["text"].strip()) <= MAX_TEXT
        and not any(unicodedata.category(c) in _HIDDEN for c in one["text"])
    )


def _sentence(one: dict[str, Any], passages: Sequence[Shown]) -> Sentence:
    passage, quote = passages[one["passage"] - 1], one["quote"]
    if not quote.strip():
        raise RefusedOutputError("no_citation")
    if not is_long_enough(quote) or sum(map(str.isalnum, quote)) < _MIN_LETTERS:
        raise RefusedOutputError("quote_too_short")
    at = passage.text.find(quote)
    if at < 0:
        raise RefusedOutputError(_why_not(quote, passage, passages))
    return Sentence(nfc(one["text"].strip()), passage.chunk_id, quote, at=at)


def _why_not(quote: str, passage: Shown, passages: Sequence[Shown]) -> Fault:
    if any(quote in other.text for other in passages):
        return "quote_of_another"
    half = len(quote) // 2
    ends = (quote[: max(_PIECE, half // 2)], quote[-max(_PIECE, half // 2) :])
    return "quote_stitched" if all(end in passage.text for end in ends) else "quote_invented"
