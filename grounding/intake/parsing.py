"""Title and pieces of a text. A large one is parsed in a process of its own, with a wall clock."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

from grounding.errors import UnreadableFileError
from grounding.reading import chunking
from grounding.reading.chunking import Piece

SMALL = 64 * 1024  # characters that no parser here is slow on
WALL_SECONDS = 30.0
_ROOT = Path(__file__).resolve().parents[2]
_MARKDOWN = (".md", ".markdown", ".mkd")


def parse(text: str, name: str) -> tuple[str, list[Piece]]:
    """(title, pieces). Raises UnreadableFileError("too_complex") for a text that takes too long."""
    kind: Literal["markdown", "plain"] = "markdown" if name.lower().endswith(_MARKDOWN) else "plain"
    if len(text) <= SMALL:
        title = chunking.document_title(text, name)
        return title, chunking.split(text, title=title, kind=kind)
    found = _apart({"text": text, "name": name, "kind": kind})
    return found["title"], [_piece(item) for item in found["pieces"]]


def _apart(given: dict[str, str]) -> Any:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "grounding.intake.parse_child"],
            input=json.dumps(given).encode(),
            capture_output=True,
            timeout=WALL_SECONDS,
            cwd=_ROOT,
            env={"PATH": os.defpath},
            # A Ctrl-C meant for the parent must not make a good text look unreadable.
            start_new_session=True,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as exc:
        raise UnreadableFileError("too_complex", type(exc).__name__) from exc
    return json.loads(done.stdout)


def _piece(item: dict[str, Any]) -> Piece:
    return Piece(**(item | {"heading_path": tuple(item["heading_path"])}))
