"""A host's addresses, asked once and within a time: the resolver itself knows no deadline.

The question runs in a thread of its own. One that hangs is left behind, and at most MAX_ASKING are:
then the next question waits for one of them, within its own time.
"""

from __future__ import annotations

import socket
import threading
import time
from queue import Empty, SimpleQueue

from opspilot.connectors.errors import NotSentError

MAX_ASKING = 16
_asking = threading.BoundedSemaphore(MAX_ASKING)
_Answer = SimpleQueue[list[str] | None]


def addresses(host: str, port: int, *, deadline: float) -> list[str]:
    """At least one, each once, in the resolver's order. `deadline` is of time.monotonic().

    Raises NotSentError when there is none, or none in time.
    """
    if not _asking.acquire(timeout=max(0.0, deadline - time.monotonic())):
        raise NotSentError("the name could not be resolved in time")
    answer: _Answer = SimpleQueue()
    threading.Thread(target=_ask, args=(host, port, answer), daemon=True).start()
    try:
        found = answer.get(timeout=max(0.001, deadline - time.monotonic()))
    except Empty as exc:
        raise NotSentError("the name could not be resolved in time") from exc
    if not found:
        raise NotSentError("the name could not be resolved")
    return found


def _ask(host: str, port: int, answer: _Answer) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        answer.put(list(dict.fromkeys(str(item[4][0]) for item in found)))
    except (OSError, UnicodeError):
        answer.put(None)
    finally:
        _asking.release()
