"""Title and pieces of a text. A large one is parsed in a process of its own, with a wall clock."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from grounding.errors import UnreadableFileError
from grounding.intake import apart, parse_child
from grounding.reading import chunking
from grounding.reading.chunking import STANDARD, Piece, Policy

SMALL = 64 * 1024  # characters that no parser here is slow on
MAX_JSON = 32 * 1024 * 1024  # bytes: each passage is in it twice
_PROGRAM = Path(parse_child.__file__)


def parse(
    text: str, name: str, *, markdown: bool, policy: Policy = STANDARD
) -> tuple[str, list[Piece]]:
    """(title, pieces). Raises UnreadableFileError("too_complex") for a text that takes too long."""
    kind: Literal["markdown", "plain"] = "markdown" if markdown else "plain"
    if len(text) <= SMALL:
        title = chunking.document_title(text, name)
        return title, chunking.split(text, title=title, kind=kind, policy=policy)
    given = {"text": text, "name": name, "kind": kind, "policy": asdict(policy)}
    found = _apart(given)
    return found["title"], [_piece(item) for item in found["pieces"]]


def _apart(given: dict[str, Any]) -> Any:
    written = json.dumps(given, ensure_ascii=False).encode()
    ended = apart.read_by(_PROGRAM, [], written, most=MAX_JSON)
    if ended.late or ended.code or len(ended.written) > MAX_JSON:
        raise UnreadableFileError("too_complex", f"ended with {ended.code}")
    return json.loads(ended.written)


def _piece(item: dict[str, Any]) -> Piece:
    return Piece(**(item | {"heading_path": tuple(item["heading_path"])}))
