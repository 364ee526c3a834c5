"""A DOCX as Markdown: headings, lists, tables and code by its styles; what is hidden is left out."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from grounding.errors import UnreadableFileError
from grounding.formats import markdown_tables, office
from grounding.formats.blocks_out import Blocks, fence
from grounding.formats.docx_styles import (
    Style,
    Styles,
    is_hidden,
    is_shaded,
    is_white,
    list_of,
    styles_of,
)
from grounding.formats.extracted import Extracted, Place, counted
from grounding.formats.markdown_tables import Cell
from grounding.formats.office import child, local, value

DEEP = 100  # levels of elements
MAX_SPAN = 100
# Removed by a tracked change, or the older twin of what stands beside it.
_SKIPPED = frozenset({"del", "moveFrom", "Fallback", "pPr", "rPr", "instrText", "delText"})
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")


def read(found: zipfile.ZipFile) -> Extracted:
    """Raises UnreadableFileError."""
    document = office.xml(found, office.main_part(found))
    body = child(document, "body")
    if body is None:
        raise UnreadableFileError("damaged", "docx without a body")
    walk = _Walk(styles_of(found))
    walk.blocks(body, 0)
    for name in _NOTES:
        notes = office.xml(found, name)
        for note in notes if notes is not None else ():
            walk.blocks(note, 1)
    walk.end_code()
    hidden = [Place("file", "", words) for words in walk.hidden if words.strip()]
    return Extracted(
        "docx", walk.out.written(), signs=counted("hidden", hidden), comments=_comments(found)
    )


def _comments(found: zipfile.ZipFile) -> tuple[str, ...]:
    root = office.xml(found, "word/comments.xml")
    texts = ("".join(_plain(one)) for one in (root if root is not None else ()))
    return tuple(text.strip() for text in texts if text.strip())


def _plain(element: Element) -> Iterator[str]:
    for inner in element.iter():
        if local(inner) == "t":
            yield inner.text or ""
        elif local(inner) == "p":
            yield " "


class _Walk:
    """One way through the body, in the order of the text."""

    def __init__(self, styles: Styles, *, shaded: bool = False) -> None:
        self.out = Blocks()
        self.hidden: list[str] = []
        self._styles = styles
        self._shaded = shaded
        self._counts: Counter[tuple[str, int]] = Counter()
        self._code: list[str] = []

    def blocks(self, parent: Element, depth: int) -> None:
        if depth > DEEP:
            raise UnreadableFileError("too_complex", "elements too deep")
        for element in parent:
            name = local(element)
            if name == "p":
                self._paragraph(element, depth)
            elif name == "tbl":
                self.end_code()
                self.out.whole(markdown_tables.table(self._rows(element, depth)))
            elif name not in _SKIPPED:
                self.blocks(element, depth + 1)

    def _paragraph(self, element: Element, depth: int) -> None:
        properties = child(element, "pPr")
        style = self._styles.of(properties)
        boxes: list[Element] = []
        shaded = self._shaded or is_shaded(properties)
        words = "".join(self._words(element, style, shaded, boxes, depth))
        if style.code:
            self._code.append(words)
        else:
            self.end_code()
            self._put(words, properties, style)
        for box in boxes:
            self.blocks(box, depth + 1)

    def end_code(self) -> None:
        if self._code:
            self.out.whole(fence("\n".join(self._code)))
            self._code.clear()

    def _put(self, words: str, properties: Element | None, style: Style) -> None:
        if not words.strip():
            return
        place = list_of(properties, style)
        if style.heading:
            self.out.lead("#" * style.heading + " ")
        elif place is not None:
            self.out.item(self._mark(place), place[1])
        self.out.text(words)
        self.out.no_lead()

    def _mark(self, place: tuple[str, int]) -> str:
        if place in self._styles.bullets:
            return "-"
        number, level = place
        for deeper in [key for key in self._counts if key[0] == number and key[1] > level]:
            del self._counts[deeper]
        self._counts[place] += 1
        return f"{self._counts[place]}."

    def _words(
        self, element: Element, style: Style, shaded: bool, boxes: list[Element], depth: int
    ) -> Iterator[str]:
        """The visible words of a paragraph; text boxes in it are put aside."""
        if depth > DEEP:
            raise UnreadableFileError("too_complex", "elements too deep")
        for inner in element:
            name = local(inner)
            if name == "txbxContent":
                boxes.append(inner)
            elif name == "r":
                yield from self._run(inner, style, shaded, boxes, depth)
            elif name in ("t", "tab", "br", "cr", "noBreakHyphen"):
                yield _drawn(name, inner)
            elif name not in _SKIPPED:
                yield from self._words(inner, style, shaded, boxes, depth + 1)

    def _run(
        self, run: Element, around: Style, shaded: bool, boxes: list[Element], depth: int
    ) -> Iterator[str]:
        properties = child(run, "rPr")
        own = self._styles.of(properties, "rStyle")
        words = "".join(self._words(run, Style(), shaded, boxes, depth + 1))
        if _is_unseen(properties, (around, own), shaded):
            self.hidden.append(words)
        else:
            yield words

    def _rows(self, table: Element, depth: int) -> list[list[str]]:
        rows = [
            [self._cell(cell, depth) for cell in _inside(row, "tc")] for row in _inside(table, "tr")
        ]
        return markdown_tables.spread(rows)

    def _cell(self, cell: Element, depth: int) -> Cell:
        properties = child(cell, "tcPr")
        inner = _Walk(self._styles, shaded=self._shaded or is_shaded(properties))
        inner.blocks(cell, depth + 2)
        inner.end_code()
        self.hidden += inner.hidden
        span = value(child(properties, "gridSpan"))
        return Cell(inner.out.written(), min(int(span), MAX_SPAN) if span.isdecimal() else 1)


def _is_unseen(run: Element | None, styles: tuple[Style, Style], shaded: bool) -> bool:
    if is_hidden(run) or any(style.hidden for style in styles):
        return True
    return not shaded and (is_white(run) or any(style.white for style in styles))


def _drawn(name: str, element: Element) -> str:
    if name == "t":
        return element.text or ""
    return {"tab": "\t", "noBreakHyphen": "-"}.get(name, "\n")


def _inside(parent: Element, name: str) -> Iterator[Element]:
    """The rows of a table, or the cells of a row, also those inside a content control."""
    for element in parent:
        if local(element) == name:
            yield element
        elif local(element) in ("sdt", "sdtContent", "ins", "customXml"):
            yield from _inside(element, name)
