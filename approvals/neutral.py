"""Text made inert for the remote, before it is stored, hashed and shown (I2).

GitLab executes quick actions found in descriptions, notifies whoever is mentioned, writes notes into
issues that are referred to, and lets every reader's browser fetch images. Nothing here removes words: what was active becomes visible text.
"""

from __future__ import annotations

import re

from opspilot.presentation.normal_form import nfc

_QUICK_ACTION = re.compile(r"(?m)^([ \t]*)/(?=\S)")
# Not after a word character: an e-mail address is not a mention. ASCII, as the remote reads it.
_MENTION = re.compile(r"(?<![A-Za-z0-9_])@(?=[\w.-])")
_IMAGE = re.compile(r"!\[")
# Signs that still act: a backslash escapes one only when an odd number of them stands before it.
_UNESCAPED = r"(?<!\\)((?:\\\\)*)"
_HTML = re.compile(_UNESCAPED + r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(_UNESCAPED + r"&(?=#?\w+;)")
# Not the shell's `2>&1`.
_REFERENCE = re.compile(_UNESCAPED + r"([#!]|(?<!>)&)(?=\d)")
# Ways to refer to an issue that no backslash stops; a blank does.
_LETTERS = re.compile(r"GL-(?=\d)")
_NAMED = re.compile(r"(?i)\[(issue|work_item):(?=\S)")
_ADDRESS = re.compile(r"(?i)/(issues|work_items|merge_requests|epics)/(?=\d)")
# In a title, which has no backslashes.
_SHORT = re.compile(r"([#!]|(?<!>)&)(?=\d)")
_MARKER = re.compile(r"(?i)opk[0-9a-f]{32}")


class ForgedMarkerError(ValueError):
    """The text carries a marker: it could pass for another run's effect."""


def normalise(text: str) -> str:
    """NFC, no carriage returns, no trailing blanks: what the remote would store anyway."""
    return nfc(text.replace("\r\n", "\n").replace("\r", "\n")).rstrip()


def line(text: str) -> str:
    """A title: one line that notifies nobody and refers to nothing. Idempotent. The remote renders
    no Markdown in it, and a backslash would be read by people."""
    text = _MENTION.sub("@ ", " ".join(normalise(text).split()))
    return _SHORT.sub(r"\1 ", _unreferred(text))


def description(text: str) -> str:
    """A Markdown body, inert. Idempotent: what is already neutral does not change.

    Escaped everywhere, in code too: two readers of Markdown differ in what they take for code (HTML
    blocks, footnotes, mathematics), and a fence can be closed by the text itself. The price is a
    visible backslash inside some code; the approver sees it.
    Raises ForgedMarkerError for text that carries a marker.
    """
    text = normalise(text)
    if _MARKER.search(text):
        raise ForgedMarkerError
    return _inert(text)


def is_inert(text: str) -> bool:
    """Whether nothing in the text would act at the remote; asked again before sending."""
    return _inert(text) == text


def is_inert_line(text: str) -> bool:
    """The same for a title."""
    return line(text) == text


def _unreferred(text: str) -> str:
    text = _NAMED.sub(r"[\1: ", _LETTERS.sub("GL- ", text))
    return _ADDRESS.sub(r"/\1/ ", text)


def _inert(text: str) -> str:
    text = _ENTITY.sub(r"\1\\&", text)
    text = _MENTION.sub("@ ", text)
    text = _IMAGE.sub(r"!\\[", text)
    text = _HTML.sub(r"\1\\<", text)
    text = _unreferred(_REFERENCE.sub(r"\1\\\2", text))
    return _QUICK_ACTION.sub(r"\1\\/", text)
