"""What the styles and the numbering of a DOCX say about a paragraph."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from grounding.formats.office import child, is_on, local, value, xml

_HEADING = re.compile(r"(?:heading|título|titulo|überschrift|titre)\s*([1-9])\Z", re.I)
_TITLES = frozenset({"title", "título", "titulo"})
_CODE = re.compile(r"code|source|preformatted|código|listing", re.I)
TINY = 4  # half points
_CHAIN = 20  # styles that are based on one another


@dataclass(frozen=True, slots=True)
class Style:
    heading: int = 0
    code: bool = False
    hidden: bool = False
    white: bool = False  # not seen where nothing dark is behind it
    number: str = ""  # of the list it puts a paragraph in
    level: int = 0


@dataclass(slots=True)
class Styles:
    by_id: dict[str, Style] = field(default_factory=dict)
    bullets: set[tuple[str, int]] = field(default_factory=set)  # (list, level) drawn with a mark

    def of(self, properties: Element | None, name: str = "pStyle") -> Style:
        return self.by_id.get(value(child(properties, name)), Style())


def styles_of(found: zipfile.ZipFile) -> Styles:
    root = xml(found, "word/styles.xml")
    elements = {
        value(s, "styleId"): s for s in (root if root is not None else ()) if local(s) == "style"
    }
    by_id = {name: _style(name, elements) for name in elements}
    return Styles(by_id, _bullets(xml(found, "word/numbering.xml")))


def is_hidden(run: Element | None) -> bool:
    """Run properties that hide the words wherever they stand: the mark itself, or tiny letters."""
    if is_on(child(run, "vanish")) or is_on(child(run, "webHidden")):
        return True
    size = value(child(run, "sz"))
    return size.isdecimal() and int(size) <= TINY


def is_white(run: Element | None) -> bool:
    """On no shade of its own; whether something dark is behind it, the caller knows."""
    return value(child(run, "color")).upper() == "FFFFFF" and not is_shaded(run)


def is_shaded(properties: Element | None) -> bool:
    shade = child(properties, "shd")
    if child(properties, "highlight") is not None:
        return True
    return shade is not None and value(shade, "fill").upper() not in ("", "AUTO", "FFFFFF")


def _style(name: str, elements: dict[str, Element]) -> Style:
    """With what it takes over from the styles it is based on."""
    heading, level, number, code, hidden, white = 0, 0, "", False, False, False
    for _step in range(_CHAIN):
        element = elements.get(name)
        if element is None:
            break
        paragraph = child(element, "pPr")
        heading = heading or _heading(element)
        number = number or value(child(paragraph, "numPr", "numId"))
        level = level or _whole(value(child(paragraph, "numPr", "ilvl")))
        code = code or _CODE.search(value(child(element, "name"))) is not None
        hidden = hidden or is_hidden(child(element, "rPr"))
        white = white or is_white(child(element, "rPr"))
        name = value(child(element, "basedOn"))
    return Style(heading, code, hidden, white, number, level)


def _heading(style: Element) -> int:
    name = value(child(style, "name")).strip()
    if name.lower() in _TITLES:
        return 1
    if found := _HEADING.match(name):
        return min(int(found[1]), 6)
    level = value(child(style, "pPr", "outlineLvl"))
    return int(level) + 1 if level.isdecimal() and int(level) < 6 else 0


def _bullets(root: Element | None) -> set[tuple[str, int]]:
    if root is None:
        return set()
    kinds = {
        value(one, "abstractNumId"): _bullet_levels(one)
        for one in root
        if local(one) == "abstractNum"
    }
    return {
        (value(number, "numId"), level)
        for number in root
        if local(number) == "num"
        for level in kinds.get(value(child(number, "abstractNumId")), ())
    }


def _bullet_levels(abstract: Element) -> list[int]:
    return [
        _whole(value(level, "ilvl"))
        for level in abstract
        if local(level) == "lvl" and value(child(level, "numFmt")) in ("bullet", "none", "")
    ]


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def list_of(properties: Element | None, style: Style) -> tuple[str, int] | None:
    """(list, level) of a paragraph, by its own word or by its style's."""
    own = child(properties, "numPr")
    number = value(child(own, "numId")) or style.number
    level = value(child(own, "ilvl"))
    if not number or number == "0":
        return None
    return number, _whole(level) if level else style.level
