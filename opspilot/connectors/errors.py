"""What a remote's answer means for the caller's next move.

NotSentError         nothing left this machine: may be tried again
  PostponedError     nothing left and nothing was tried: again after so many seconds, and it is
                     no attempt (BreakerOpenError, NoSlotError)
ThrottledError       the remote said "later" before doing anything: may be tried again, later
RefusedByRemoteError the remote said no: do not try again
NotAllowedError      our own egress list says no: nothing left, and trying again changes nothing
OutcomeUnknownError  it may have happened: look first, never resend on your own
  RemoteFaultError   the same, and the remote or the way to it failed: no answer, or a 5xx
  UnmarkedError      a search found something of ours that has lost its marker: it may be the one
UnavailableError     a read got no usable answer: ask again later, what was asked is not at fault
  BrokenOffError     the same, and a part of the answer had come: it may have been paid for
OutputError          a model answered, and what it said cannot be used: it was paid for
"""

from __future__ import annotations

from typing import Literal

from opspilot.connectors.ports import Completed

OutputFault = Literal["refusal", "truncated", "other_model"]


class ConnectorError(Exception):
    """Base of them all; the text is ours, never the remote's body."""


class NotSentError(ConnectorError):
    pass


class PostponedError(NotSentError):
    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BreakerOpenError(PostponedError):
    pass


class NoSlotError(PostponedError):
    pass


class ThrottledError(ConnectorError):
    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RefusedByRemoteError(ConnectorError):
    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class NotAllowedError(RefusedByRemoteError):
    def __init__(self, message: str) -> None:
        super().__init__(message, 0)


class OutcomeUnknownError(ConnectorError):
    pass


class RemoteFaultError(OutcomeUnknownError):
    pass


class UnmarkedError(OutcomeUnknownError):
    pass


class UnavailableError(ConnectorError):
    pass


class BrokenOffError(UnavailableError):
    pass


class OutputError(ConnectorError):
    """`reason` is ours; `completed` says what was spent on it."""

    def __init__(self, reason: OutputFault, completed: Completed) -> None:
        super().__init__(f"the model's output cannot be used: {reason}")
        self.reason: OutputFault = reason
        self.completed = completed
