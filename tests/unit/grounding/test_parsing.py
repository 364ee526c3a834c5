from __future__ import annotations

import time

import pytest

from grounding.errors import UnreadableFileError
from grounding.intake import apart, parsing
from grounding.reading import chunking

# Shapes that made a pattern or the parser slow: each must end, as text or as a named refusal.
HOSTILE = {
    "a front matter title of blanks": "---\ntitle: a" + " " * 170_000 + "b\n---\n# x\n\ntexto",
    "a line of blanks": "# x\n\n" + " " * 400_000 + "x",
    "open links": "[a](" * 100_000,
    "open emphasis": "*a_" * 100_000,
    "open brackets": "[" * 200_000,
    "deep quotes": "> a\n" * 60_000,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_a_hostile_text_ends_in_bounded_time(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "WALL_SECONDS", 1.5)
    started = time.monotonic()
    try:
        parsing.parse(HOSTILE[shape], "x.md", markdown=True)
    except UnreadableFileError as refusal:
        assert refusal.code == "too_complex"  # noqa: PT017 - both ends are right
    assert time.monotonic() - started < 15


@pytest.mark.parametrize("name", ["x.md", "x.txt"])
def test_a_large_text_gives_the_same_pieces_in_a_process_of_its_own(name: str) -> None:
    text = "# Título\n\n" + "\n\n".join(
        f"## Parte {n}\n\nUm parágrafo {n}." * 3 for n in range(2000)
    )
    assert len(text) > parsing.SMALL
    title, pieces = parsing.parse(text, name, markdown=name.endswith(".md"))
    kind = "markdown" if name.endswith(".md") else "plain"
    assert title == chunking.document_title(text, name)
    assert pieces == chunking.split(text, title=title, kind=kind)  # type: ignore[arg-type]
