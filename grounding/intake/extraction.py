"""A file's bytes as text, by a reader in a process of its own; short plain text needs none."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

from grounding.errors import UnreadableFileError
from grounding.formats import kinds, reader_child
from grounding.formats.extracted import Extracted, from_json
from grounding.intake import apart
from grounding.intake.apart import Ended
from grounding.intake.decoding import MAX_BYTES, decode

SMALL = 256 * 1024  # bytes of plain text that are read here
_READER = Path(reader_child.__file__)
_OUT_OF_TIME = frozenset({-signal.SIGXCPU})
_KILLED = frozenset({-signal.SIGKILL, -signal.SIGTERM})


class ReaderLostError(Exception):
    """The reader was killed from outside: the file had its part in it or not, and is tried again."""


def extract(data: bytes, name: str) -> Extracted:
    """Raises UnreadableFileError, or ReaderLostError."""
    if len(data) > MAX_BYTES:
        raise UnreadableFileError("too_large", f"{len(data)} bytes")
    if kinds.family(data) == "text" and len(data) <= SMALL:
        decoded = decode(data)
        shape = kinds.shape(decoded.text, name)
        if shape in ("markdown", "plain"):
            return reader_child.as_it_is(decoded, markdown=shape == "markdown")
    return _read_apart(data, name)


def _read_apart(data: bytes, name: str) -> Extracted:
    ended = apart.read_by(_READER, [name], data, most=reader_child.MAX_JSON)
    return from_json(answer_of(ended)["read"])


def answer_of(ended: Ended) -> Any:
    """What a reader said. Raises as `extract` does for what went wrong in its process."""
    if ended.late or ended.code in _OUT_OF_TIME:
        raise UnreadableFileError("too_complex", "out of time")
    if ended.code in _KILLED:
        raise ReaderLostError(ended.code)
    if ended.code or len(ended.written) > reader_child.MAX_JSON:
        raise UnreadableFileError("damaged", f"reader ended with {ended.code}")
    answer = json.loads(ended.written)
    if "refused" in answer:
        raise UnreadableFileError(answer["refused"], answer["detail"])
    return answer
