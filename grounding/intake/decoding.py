"""Bytes of an uploaded file into text, or a named reason why they are not text."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

from charset_normalizer import from_bytes

from grounding.errors import UnreadableFileError
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
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_LATIN_SECOND_BYTE = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
_MOJIBAKE = re.compile(f"[ÂÃ]{_LATIN_SECOND_BYTE}|â(?:€|\u0080){_LATIN_SECOND_BYTE}|\ufffd")
_LIKELY = frozenset(
    "áàâãäçéèêëíìîïñóòôõöúùûüÁÀÂÃÄÇÉÈÊËÍÌÎÏÑÓÒÔÕÖÚÙÛÜßªº°§²³µ€£“”‘’«»–—…•·©®™¿¡¼½¾±×\xa0"
)
_MARK_BETWEEN_WORDS = re.compile(r"(?<=[a-z])[¡¿±×«»•©®™§](?=[a-z])")


@dataclass(frozen=True, slots=True)
class Decoded:
    """`findings` are for the person who reviews the upload: they never change authority."""

    text: str
    encoding: str
    findings: tuple[str, ...]


def decode(data: bytes) -> Decoded:
    """NFC text with `\\n` line ends and nothing invisible; raises UnreadableFileError."""
    _refuse_by_size(data)
    text, encoding = _decode(data)
    findings = [f"encoding:{encoding}"] if encoding.startswith("windows") else []
    if len(_MOJIBAKE.findall(text)) > 1:
        findings.append("mojibake")
    for name, pattern in (("invisible", _INVISIBLE), ("control", _CONTROL)):
        text, count = pattern.subn("", text)
        findings += [f"{name}:{count}"] if count else []
    text = nfc(text.replace("\r\n", "\n").replace("\r", "\n"))
    if not text.strip():
        raise UnreadableFileError("empty")
    return Decoded(text, encoding, tuple(findings))


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
    if b"\x00" in data:
        raise UnreadableFileError("binary", "NUL bytes")
    if _control_share(data) > _MAX_CONTROL_SHARE:
        raise UnreadableFileError("binary", "control characters")
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return _single_byte(data), "windows-1252"


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
