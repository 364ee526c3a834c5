"""What a file is, by its bytes. A name only chooses between kinds of text."""

from __future__ import annotations

import re
from typing import Literal

from grounding.errors import UnreadableFileError
from grounding.formats import separated

Family = Literal["pdf", "zip", "text"]
Shape = Literal["html", "csv", "markdown", "plain"]

_PDF_HEAD = 1024  # bytes in which a PDF's mark may stand
_OLE = b"\xd0\xcf\x11\xe0"
_LOCKED = "EncryptedPackage".encode("utf-16-le")  # an Office file with a password is an OLE file
_UNREAD = {
    b"\x89PNG": "png",
    b"GIF8": "gif",
    b"\xff\xd8\xff": "jpeg",
    b"II*\x00": "tiff",
    b"MM\x00*": "tiff",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"7z\xbc\xaf": "7z",
    b"Rar!": "rar",
    b"{\\rtf": "rtf",
    _OLE: "ole",
}
_HTML = re.compile(
    r"\s{0,2000}(?:<\?xml[^>]{0,200}\?>\s{0,200}|<!--(?:(?!-->)[\s\S]){0,4000}-->\s{0,200}){0,5}"
    r"<(?:!doctype\s+html|html|head|body)\b",
    re.I,
)
_TAGS = re.compile(r"</(?:p|div|table|h[1-6]|ul|ol|body|a|span|details)>", re.I)
_MARKDOWN_NAMES = (".md", ".markdown", ".mkd")
_HTML_NAMES = (".html", ".htm", ".xhtml")
_TABLE_NAMES = (".csv", ".tsv", ".tab")
_PLAIN_NAMES = (".txt", ".log", *_MARKDOWN_NAMES)


def family(data: bytes) -> Family:
    """Raises UnreadableFileError for a known format that no reader here takes."""
    if b"%PDF-" in data[:_PDF_HEAD]:
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    for mark, name in _UNREAD.items():
        if data.startswith(mark):
            locked = mark == _OLE and _LOCKED in data
            raise UnreadableFileError("encrypted" if locked else "unsupported", name)
    return "text"


def shape(text: str, name: str) -> Shape:
    """Of a text. A whole page of HTML is one under any name."""
    name = name.lower()
    if _HTML.match(text) or (name.endswith(_HTML_NAMES) and _TAGS.search(text)):
        return "html"
    if name.endswith(_TABLE_NAMES):
        return "csv"
    if name.endswith(_MARKDOWN_NAMES):
        return "markdown"
    return "csv" if not name.endswith(_PLAIN_NAMES) and separated.is_a_table(text) else "plain"
