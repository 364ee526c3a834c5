"""Bytes of an uploaded file into text, or a named reason why they are not text."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from itertools import islice

from charset_normalizer import from_bytes

from grounding.errors import UnreadableFileError
from grounding.formats.extracted import MAX_PLACES, Sign, place
from grounding.reading import invisibles
from opspilot.presentation.normal_form import nfc

MAX_BYTES = 20 * 1024 * 1024
_SAMPLE = 64 * 1024
_MAX_CONTROL_SHARE = 0.02
_MIN_LIKELY_SHARE = 0.9

_MAGIC = {
    b"%PDF-": "pdf",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\x89PNG": "png",
    b"GIF8": "gif",
    b"\xff\xd8\xff": "jpeg",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"7z\xbc\xaf": "7z",
    b"Rar!": "rar",
    b"\x7fELF": "elf",
    b"\xd0\xcf\x11\xe0": "ole",
    b"{\\rtf": "rtf",
    b"SQLite format 3": "sqlite",
}
_WIDE_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it starts with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CONTROL_BYTES = bytes({*range(32), 127} - {9, 10, 12, 13})
_LATIN_SECOND_BYTE = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
_MOJIBAKE = re.compile(f"[ÂÃ]{_LATIN_SECOND_BYTE}|â(?:€|\u0080){_LATIN_SECOND_BYTE}|\ufffd")
_JAPANESE = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]")
_LIKELY = frozenset(
    "áàâãäçéèêëíìîïñóòôõöúùûüÁÀÂÃÄÇÉÈÊËÍÌÎÏÑÓÒÔÕÖÚÙÛÜßªº°§²³µ€£“”‘’«»–—…•·©®™¿¡¼½¾±×\xa0"
)
_MARK_BETWEEN_WORDS = re.compile(r"(?<=[a-z])[¡¿±×«»•©®™§](?=[a-z])")


@dataclass(frozen=True, slots=True)
class Decoded:
    """`signs` are for the person who reviews the upload: they never change authority."""

    text: str
    encoding: str
    signs: tuple[Sign, ...]

    @property
    def findings(self) -> tuple[str, ...]:
        return tuple(sign.written for sign in self.signs)


def decode(data: bytes) -> Decoded:
    """NFC text with `\\n` line ends and nothing invisible; raises UnreadableFileError."""
    _refuse_by_size(data)
    text, encoding = _decode(data)
    guessed = () if encoding.startswith("utf") else (Sign("encoding", encoding),)
    text, signs = cleaned(text)
    return Decoded(text, encoding, guessed + signs)


def cleaned(text: str) -> tuple[str, tuple[Sign, ...]]:
    """The text as it is kept, and what was noticed and taken out. Raises when nothing is left."""
    signs = [*_mojibake(text), *_invisible(text)]
    text = invisibles.INVISIBLE.sub("", text)
    text, count = invisibles.CONTROL.subn("", text)
    if count:
        signs.append(Sign("control", str(count)))
    text = nfc(text.replace("\r\n", "\n").replace("\r", "\n"))
    if not text.strip():
        raise UnreadableFileError("empty")
    return text, tuple(signs)


def _mojibake(text: str) -> list[Sign]:
    found = list(islice(_MOJIBAKE.finditer(text), MAX_PLACES))
    if len(found) < 2:
        return []
    around = (text[max(0, one.start() - 40) : one.end() + 40] for one in found)
    lines = (text.count("\n", 0, one.start()) + 1 for one in found)
    places = (place("line", str(line), words) for line, words in zip(lines, around, strict=True))
    return [Sign("mojibake", "", tuple(places))]


def _invisible(text: str) -> list[Sign]:
    count = len(invisibles.INVISIBLE.findall(text))
    if not count:
        return []
    code = "covert" if invisibles.is_covert(text) else "invisible"
    found = invisibles.places(text, most=MAX_PLACES)
    places = (place("line", str(line), words) for line, words in found)
    return [Sign(code, str(count), tuple(places))]


def _refuse_by_size(data: bytes) -> None:
    if len(data) > MAX_BYTES:
        raise UnreadableFileError("too_large", f"{len(data)} bytes")
    if not data.strip():
        raise UnreadableFileError("empty")


def _decode(data: bytes) -> tuple[str, str]:
    for magic, kind in _MAGIC.items():
        if data.startswith(magic):
            raise UnreadableFileError("binary", kind)
    for mark, wide in _WIDE_MARKS.items():
        if data.startswith(mark):
            return _wide(data, wide), wide
    if _control_share(data) > _MAX_CONTROL_SHARE:
        raise UnreadableFileError("binary", "control characters")
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return _older(data)


def _older(data: bytes) -> tuple[str, str]:
    """Of before UTF-8. Latin first: its accents in a row would pass for kanji, never the reverse."""
    try:
        return _single_byte(data), "windows-1252"
    except UnreadableFileError:
        text = _japanese(data)
        if not text:
            raise
        return text, "cp932"


def _japanese(data: bytes) -> str:
    """Shift JIS as Windows writes it, if most of what is not ASCII then is kana or common kanji."""
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        return ""
    foreign = [character for character in text[:_SAMPLE] if ord(character) > 126]
    likely = sum(_JAPANESE.match(character) is not None for character in foreign)
    return text if likely >= max(len(foreign) * _MIN_LIKELY_SHARE, 4) else ""


def _wide(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as exc:
        raise UnreadableFileError("not_text", encoding) from exc
    odd = sum(unicodedata.category(character) in ("Cn", "Co", "Cs") for character in text[:_SAMPLE])
    if "\x00" in text or odd > len(text[:_SAMPLE]) * _MAX_CONTROL_SHARE:
        raise UnreadableFileError("binary", f"{encoding} mark, but not text")
    return text


def _control_share(data: bytes) -> float:
    # ESC is left out: logs pasted from a terminal carry colours.
    controls = _CONTROL_BYTES.replace(b"\x1b", b"")
    return 1 - len(data.translate(None, controls)) / len(data)


def _single_byte(data: bytes) -> str:
    """Windows-1252, of which Latin-1 text is a part, if the result reads like a Latin language."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as exc:
        raise UnreadableFileError("not_text", "no known encoding") from exc
    if not _is_latin_prose(text) or not _is_calm(data):
        raise UnreadableFileError("not_text", "no known encoding")
    return text


def _is_latin_prose(text: str) -> bool:
    marks = [character for character in text if ord(character) > 126]
    likely = sum(character in _LIKELY for character in marks)
    inside = len(_MARK_BETWEEN_WORDS.findall(text))
    few = len(marks) <= len(text) * 0.4
    return few and likely - inside >= len(marks) * _MIN_LIKELY_SHARE


def _is_calm(data: bytes) -> bool:
    """The detector's own opinion: no mess above its limit when read as Windows-1252."""
    # Its default limit of 0.2 takes short Portuguese sentences ("Já está.") for a mess.
    return from_bytes(data[:_SAMPLE], cp_isolation=["cp1252"], threshold=0.6).best() is not None
