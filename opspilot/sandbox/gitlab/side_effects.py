"""What a stored text does to people who never asked for it."""

from __future__ import annotations

import re

from opspilot.sandbox.gitlab.markdown import without_code
from opspilot.sandbox.gitlab.model import Member, Trace

_MENTION = re.compile(r"(?<![A-Za-z0-9_/.])@([A-Za-z0-9_][A-Za-z0-9_.-]*)")
_IMAGE = re.compile(
    r"!\[[^\]]*\]\(\s*<?([^\s)>]+)|(?<!\\)<img\b[^>]*?\bsrc\s*=\s*[\"']?([^\"'\s>]+)", re.I
)
_COMMENT = re.compile(r"(?<!\\)<!--(.*?)(?:-->|$)", re.DOTALL)


def of_title(title: str, members: list[Member]) -> list[Trace]:
    """A title is one line of text: it tells people and shows no picture."""
    return [Trace("notification", name) for name in _notified(title, members)]


def of_text(text: str, members: list[Member]) -> list[Trace]:
    plain = without_code(text)
    images = [markdown or html for markdown, html in _IMAGE.findall(plain)]
    return [
        *(Trace("notification", name) for name in _notified(plain, members)),
        *(Trace("image", url) for url in dict.fromkeys(images)),
        *(Trace("hidden_text", text.strip()) for text in _COMMENT.findall(plain)),
    ]


def _notified(plain: str, members: list[Member]) -> list[str]:
    names = [name.rstrip(".-") for name in _MENTION.findall(plain)]
    known = [member.user.username for member in members]
    if "all" in names:
        return known
    return [name for name in dict.fromkeys(names) if name in known]
