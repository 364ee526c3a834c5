"""Rows of cells as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

BLOCK = 1_100  # characters of one table: it fits a passage, and each has the header

Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class Cell:
    """What it says, and how many columns and rows it covers."""

    text: str
    columns: int = 1
    rows: int = 1


def table(rows: Sequence[Row]) -> str:
    """One table; the first row is its header. Empty rows and columns are left out."""
    head, body = _headed(rows)
    return "\n".join([*head, *body])


def tables(rows: Sequence[Row]) -> str:
    """The same as tables of at most BLOCK characters, each with the header: a row that is found
    says what its cells are."""
    head, body = _headed(rows)
    return "\n\n".join("\n".join([*head, *part]) for part in _parts(head, body))


def _headed(rows: Sequence[Row]) -> tuple[list[str], list[str]]:
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    if not filled:
        return [], []
    width = max(len(row) for row in filled)
    used = [at for at in range(width) if any(len(row) > at and row[at].strip() for row in filled)]
    first, *rest = ([row[at] if at < len(row) else "" for at in used] for row in filled)
    return [_line(first), "|" + " --- |" * len(used)], [_line(row) for row in rest]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell_text(cell) for cell in cells) + " |"


def cell_text(text: str) -> str:
    """On one line, with nothing that would end the cell."""
    return " ".join(text.split()).replace("|", "\\|")


def _parts(head: list[str], body: list[str]) -> Iterator[list[str]]:
    if not head:
        return
    top = sum(map(len, head))
    part: list[str] = []
    size = top
    for line in body:
        if part and size + len(line) > BLOCK:
            yield part
            part, size = [], top
        part.append(line)
        size += len(line) + 1
    yield part


def spread(rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """A cell over several rows is said in each of them: a row that is found has to be whole."""
    below: dict[int, tuple[int, str]] = {}  # column → rows still covered, words
    return [_filled(row, below) for row in rows]


def _filled(row: Sequence[Cell], below: dict[int, tuple[int, str]]) -> list[str]:
    words: list[str] = []
    covered = dict(below)
    below.clear()
    for cell in row:
        _take_over(words, covered, below)
        for column in range(cell.columns):
            said = cell.text if column == 0 else ""
            if cell.rows > 1:
                below[len(words)] = (cell.rows - 1, said)
            words.append(said)
    _take_over(words, covered, below)
    return words


def _take_over(
    words: list[str], covered: dict[int, tuple[int, str]], below: dict[int, tuple[int, str]]
) -> None:
    while len(words) in covered:
        left, said = covered.pop(len(words))
        if left > 1:
            below[len(words)] = (left - 1, said)
        words.append(said)
