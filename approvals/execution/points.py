"""Twelve moments of an execution at which a test lets the worker die. In production: nothing.

    before_claim         nothing was taken yet
    after_claim          the claim is committed, nothing was asked of the remote
    intent_written       the attempt row is committed, no byte has left
    connected            *  the connection stands, no byte has left
    half_sent            *  half of the body has left
    sent                 *  all of it has left
    remote_committed     *  the remote has decided and its answer is not read
    answer_read          the answer is read, nothing of it is written
    before_commit        all is written, nothing is committed
    after_commit         the outcome is committed
    outbox_sent_unmarked *  a letter has left and is not marked as sent
    mid_reconcile        a look-up has its answer and has written nothing

Those with a star are moments of other modules: the crash tests make them around the connection and
the mail module (`tests/crash/deadly.py`), and the sandbox can hold a request at any of them.
"""

from __future__ import annotations

import os
import signal
from typing import Literal

from django.conf import settings

Point = Literal[
    "before_claim",
    "after_claim",
    "intent_written",
    "answer_read",
    "before_commit",
    "after_commit",
    "outbox_sent_unmarked",
    "mid_reconcile",
]


def reach(point: Point) -> None:
    """Die here, by SIGKILL, where the settings of a test name this point."""
    if getattr(settings, "OPSPILOT_KILL_POINT", "") == point:
        os.kill(os.getpid(), signal.SIGKILL)
