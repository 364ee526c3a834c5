"""The strict grammar of a target: one host, spelt out. A pattern is never a host (I14).

What Ansible reads as a pattern (`all`, `*`, `a:b`, `!a`, `~a`, `@file`, a comma, nothing at all)
runs elsewhere than it says, so none of it passes, and nothing is ever mended into a host.
"""

from __future__ import annotations

import re

MAX_HOST = 253
_BLANK = " \t\r\n"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
GRAMMAR = rf"{_LABEL}(?:\.{_LABEL})*"
_HOST = re.compile(GRAMMAR)
# Names that stand for other hosts than one: Ansible's own groups, and the server itself.
RESERVED = frozenset({
    "all", "ungrouped", "none", "null", "localhost", "localhost.localdomain", "ip6-localhost",
    "hostvars", "groups", "inventory", "self",
})  # fmt: skip


def normalise(text: str) -> str:
    """Trimmed and lower-cased, as it is shown before it is checked.

    ASCII only: another sign (the Kelvin sign, a wide space) would turn into a plain one, or go.
    """
    trimmed = text.strip(_BLANK)
    return trimmed.lower() if trimmed.isascii() else trimmed


def is_host(text: str) -> bool:
    """Whether this is the name of one host and can be read as nothing else."""
    return len(text) <= MAX_HOST and _HOST.fullmatch(text) is not None and not is_reserved(text)


def is_reserved(text: str) -> bool:
    """Whether this word stands for several hosts, or for the server that runs the task."""
    word = text.rstrip(".")
    loopback = word.startswith("127.") or set(word) <= set("0.")
    return word in RESERVED or loopback
