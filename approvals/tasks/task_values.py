"""What a survey variable may hold, whatever the policy says of it.

The task runner hands every value to Ansible as an extra variable, which fills in whatever looks
like a template: a brace in a value would be code on the server.
"""

from __future__ import annotations

import unicodedata

from opspilot.connectors import tasks

MAX_TEXT = 255  # characters
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def is_foreign(name: str) -> bool:
    """Whether the name is the remote's own (`ansible_host` redirects a connection): the very names
    that the connector refuses to send."""
    return tasks.is_foreign(name)


def is_plain(text: str) -> bool:
    """One line in which every sign is seen and none is read as a template."""
    if len(text) > MAX_TEXT or not {"{", "}"}.isdisjoint(text):
        return False
    return all(unicodedata.category(sign) not in _UNSEEN for sign in text)
