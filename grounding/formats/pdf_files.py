"""The text layer of a PDF, and which of its words a reader's eye would not see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ctypes import byref, c_uint

import pypdfium2
import pypdfium2.raw as raw
from pypdfium2 import PdfDocument, PdfObject, PdfPage, PdfTextPage

from grounding.errors import UnreadableFileError
from grounding.formats.extracted import Extracted, Place, Sign, counted

MAX_PAGES = 500
TINY = 2.0  # points
_LEAST = 3  # letters of a page: a rule drawn with hyphens is thin, and nothing hidden
_DEEP = 4  # forms inside forms that are looked into for hidden text
_FOR_OBJECTS = 20_000  # objects of a page that are looked at for hidden text
_INVISIBLE_MODES = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
_BROKEN_WORD = re.compile(r"[\x02\ufffe]\r?\n?")
_NEARLY_WHITE = 0xF5

Box = tuple[float, float, float, float]


def read(data: bytes) -> Extracted:
    """The pages one after another. Raises UnreadableFileError."""
    document = _opened(data)
    if len(document) > MAX_PAGES:
        raise UnreadableFileError("too_many_pages", str(len(document)))
    texts: list[str] = []
    hidden: list[Place] = []
    for number, page in enumerate(document, start=1):
        layer = page.get_textpage()
        texts.append(_text(layer))
        unseen = " ".join(_unseen(page, layer))
        if sum(map(str.isalnum, unseen)) >= _LEAST:
            hidden.append(Place("page", str(number), unseen))
    if not any(texts):
        raise UnreadableFileError("no_text", f"{len(texts)} pages")
    signs = (*counted("hidden", hidden), *_without_text(texts))
    return Extracted("pdf", "\n\n".join(filter(None, texts)), markdown=False, signs=signs)


def _opened(data: bytes) -> PdfDocument:
    try:
        return PdfDocument(data)
    except pypdfium2.PdfiumError as exc:
        encrypted = exc.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY)
        raise UnreadableFileError("encrypted" if encrypted else "damaged", "pdf") from exc


def _text(layer: PdfTextPage) -> str:
    text = _BROKEN_WORD.sub("", layer.get_text_range())
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()


def _without_text(texts: list[str]) -> tuple[Sign, ...]:
    empty = [number for number, text in enumerate(texts, start=1) if not text]
    if not empty:
        return ()
    places = (Place("page", str(number), "") for number in empty[:5])
    few = len(empty) * 5 < len(texts)
    return (Sign("few_textless" if few else "textless", str(len(empty)), tuple(places)),)


def _unseen(page: PdfPage, layer: PdfTextPage) -> Iterator[str]:
    """The words that are drawn invisible, tiny, or in white with nothing dark behind them."""
    behind: list[Box] = []
    for number, item in enumerate(page.get_objects(max_depth=_DEEP, textpage=layer)):
        if number >= _FOR_OBJECTS:
            return
        if item.type in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE):
            if item.type == raw.FPDF_PAGEOBJ_IMAGE or not _is_white(item):
                behind.append(item.get_bounds())
        elif item.type == raw.FPDF_PAGEOBJ_TEXT and _is_unseen(item, behind):
            words = _words(item, layer)
            if words:
                yield words


def _is_unseen(item: PdfObject, behind: list[Box]) -> bool:
    if raw.FPDFTextObj_GetTextRenderMode(item) in _INVISIBLE_MODES:
        return True
    left, bottom, right, top = item.get_bounds()
    if 0 < top - bottom < TINY and right > left:
        return True
    return _is_white(item) and not any(
        box[0] <= (left + right) / 2 <= box[2] and box[1] <= (bottom + top) / 2 <= box[3]
        for box in behind
    )


def _is_white(item: PdfObject) -> bool:
    red, green, blue, alpha = c_uint(), c_uint(), c_uint(), c_uint()
    if not raw.FPDFPageObj_GetFillColor(item, byref(red), byref(green), byref(blue), byref(alpha)):
        return False
    if not alpha.value:
        return True
    return min(red.value, green.value, blue.value) >= _NEARLY_WHITE


def _words(item: PdfObject, layer: PdfTextPage) -> str:
    size = raw.FPDFTextObj_GetText(item, layer, None, 0)
    if size <= 2:
        return ""
    buffer = (raw.FPDF_WCHAR * (size // 2 + 1))()
    raw.FPDFTextObj_GetText(item, layer, buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace").strip()
