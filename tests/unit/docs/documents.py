"""The documents, and what can be typed from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`]+)`")
_TYPED = ("TEST_PICTURES=1 ", "python3 ", "poe ", ".venv/bin/", ".ci/run", "psql ", "git clone ")
_SURROUNDINGS = ("export ", "set -a", "cd ")


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of one language."""
    text = page.read_text(encoding="utf-8")
    return [body for name, body in _FENCE.findall(text) if name == language]


def commands(page: Path) -> set[str]:
    """Everything the page tells somebody to type, in blocks and in sentences."""
    return {_plain(line) for line in [*_of_blocks(page), *_of_sentences(page)]}


def _of_blocks(page: Path) -> Iterator[str]:
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not line.startswith(_SURROUNDINGS):
                yield line


def _of_sentences(page: Path) -> Iterator[str]:
    outside = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return (span for span in _SPAN.findall(outside) if f"{span} ".startswith(_TYPED))


def _plain(line: str) -> str:
    """Without a comment at the end, and with single spaces."""
    return " ".join(re.sub(r"\s{2,}#.*$", "", line).split())
