"""Text made inert for the remote, before it is stored, hashed and shown (I2).

GitLab executes quick actions found in descriptions, notifies whoever is mentioned, writes notes into
issues that are referred to, and lets every reader's browser fetch images. Nothing here removes words: what was active becomes visible text.
"""

from __future__ import annotations

import re
import unicodedata

from markdown_it import MarkdownIt

_QUICK_ACTION = re.compile(r"(?m)^([ \t]*)/(?=\S)")
# Not after a word character: an e-mail address is not a mention. ASCII, as the remote reads it.
_MENTION = re.compile(r"(?<![A-Za-z0-9_])@(?=[\w.-])")
_IMAGE = re.compile(r"!\[")
# Signs that still act: a backslash escapes one only when an odd number of them stands before it.
_UNESCAPED = r"(?<!\\)((?:\\\\)*)"
_HTML = re.compile(_UNESCAPED + r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(_UNESCAPED + r"&(?=#?\w+;)")
_REFERENCE = re.compile(_UNESCAPED + r"([#!&])(?=\d)")
_ACTIVE_LINE = re.compile(r"(?m)^[ \t]*/\S")
_MARKER = re.compile(r"(?i)opk[0-9a-f]{32}")
_MARKDOWN = MarkdownIt("commonmark")


class ForgedMarkerError(ValueError):
    """The text carries a marker: it could pass for another run's effect."""


def normalise(text: str) -> str:
    """NFC, no carriage returns, no trailing blanks: what the remote would store anyway."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).rstrip()


def line(text: str) -> str:
    """A title: one line that notifies nobody. The remote renders no Markdown in it."""
    return _MENTION.sub("@ ", " ".join(normalise(text).split()))


def description(text: str) -> str:
    """A Markdown body, inert. Idempotent: what is already neutral does not change.

    Quick actions are escaped everywhere, in code too: a fence can be closed by the text itself.
    Mentions, references, images, entities and HTML are escaped outside fenced and indented code,
    where they are inert already.
    Raises ForgedMarkerError for text that carries a marker.
    """
    text = normalise(text)
    if _MARKER.search(text):
        raise ForgedMarkerError
    code = _code_lines(text)
    lines = text.split("\n")
    prose = (raw if number in code else _prose(raw) for number, raw in enumerate(lines))
    return _QUICK_ACTION.sub(r"\1\\/", "\n".join(prose))


def is_inert(text: str) -> bool:
    """Whether no line could be read as a quick action; checked again before sending."""
    return _ACTIVE_LINE.search(text) is None


def _prose(text: str) -> str:
    text = _ENTITY.sub(r"\1\\&", text)
    text = _MENTION.sub("@ ", text)
    text = _IMAGE.sub(r"!\\[", text)
    text = _HTML.sub(r"\1\\<", text)
    return _REFERENCE.sub(r"\1\\\2", text)


def _code_lines(text: str) -> set[int]:
    """Numbers of the lines inside fenced or indented code, fence lines left out."""
    inside: set[int] = set()
    for token in _MARKDOWN.parse(text):
        if token.map and token.type in {"fence", "code_block"}:
            first, last = token.map
            fenced = token.type == "fence"
            inside.update(range(first + fenced, last - fenced))
    return inside
