"""Which Office file a zip is, and its parts as XML without entities, document types or network."""

from __future__ import annotations

import re
import zipfile
from typing import Literal
from xml.etree.ElementTree import Element, ParseError, fromstring

from grounding.errors import UnreadableFileError
from grounding.formats import archives

# In another encoding a document type would not be seen by who looks for its letters.
_ENCODING = re.compile(rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.-]+)")
_KNOWN_ENCODINGS = frozenset({b"utf-8", b"utf-16", b"us-ascii", b"iso-8859-1"})
TYPES = "[Content_Types].xml"
Family = Literal["docx", "xlsx", "other", "zip"]


def is_package(found: zipfile.ZipFile) -> bool:
    """By its names alone: an Office file, of whatever program."""
    return TYPES in found.namelist()


def family(found: zipfile.ZipFile) -> Family:
    """Of a measured zip."""
    names = set(found.namelist())
    if is_package(found):
        if "xl/workbook.xml" in names:
            return "xlsx"
        return "docx" if main_part(found).startswith("word/") else "other"
    return "other" if "mimetype" in names else "zip"


def main_part(found: zipfile.ZipFile) -> str:
    """The name of the part that the package says it is about."""
    root = xml(found, "_rels/.rels")
    for relation in root if root is not None else ():
        if relation.get("Type", "").endswith("/officeDocument"):
            return relation.get("Target", "").lstrip("/")
    return ""


def xml(found: zipfile.ZipFile, name: str) -> Element | None:
    """The part's root element. Only for a zip that was measured as an Office file: then no part of
    it declares anything that an XML reader would expand."""
    data = archives.part(found, name)
    if not data:
        return None
    declared = _ENCODING.search(data[:256])
    if declared and declared[1].lower() not in _KNOWN_ENCODINGS:
        raise UnreadableFileError("damaged", "xml encoding")
    try:
        return fromstring(data)  # noqa: S314 - document types were refused above
    except ParseError as exc:
        raise UnreadableFileError("damaged", "xml") from exc


def local(element: Element) -> str:
    """The element's name: strict and transitional files differ in their namespaces only."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def value(element: Element | None, name: str = "val") -> str:
    """The attribute of this local name; empty when there is none."""
    if element is None:
        return ""
    return next((v for k, v in element.attrib.items() if k.rpartition("}")[2] == name), "")


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant down this path of local names."""
    for name in path:
        if element is None:
            return None
        element = next((inner for inner in element if local(inner) == name), None)
    return element


def is_on(element: Element | None) -> bool:
    """A switch is on when it stands there and does not say otherwise."""
    return element is not None and value(element).lower() not in ("false", "0", "off")
