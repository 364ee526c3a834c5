"""What is wrong with a window, for who runs the command."""

from __future__ import annotations

import datetime as dt

from audit.seal.windows import Reason, Window

_SENTENCES = {
    Reason.SEAL_CHANGED: "the seal itself was changed after it was signed",
    Reason.SEAL_UNPROVED: "the seal was made with a key that nobody trusted has presented",
    Reason.SEAL_OFF_CHAIN: "the seal does not follow the one before it",
    Reason.SEAL_GONE: "the seal is gone ({rows} rows of its window are there)",
    Reason.ROW_CHANGED: "row {row} was changed after it was written",
    Reason.ROWS_GONE: "{missing} of {sealed} rows are gone",
    Reason.ROWS_ADDED: "{added} rows were added that were not there when it was sealed",
    Reason.ROWS_REWRITTEN: "rows were rewritten or exchanged, their hashes recomputed",
    Reason.WINDOW_EMPTIED: "all its {sealed} rows are gone, and no expiry accounts for them",
    Reason.FORGED_EXPIRY: "an expiry is claimed that no trusted key has signed for these rows",
    Reason.NOT_SEALED: "no seal covers its {rows} rows",
    Reason.HEAD_GONE: "the seal that was written down is gone, and its rows with it or left open",
    Reason.HEAD_CHANGED: "the seal is not the one that was written down",
}


def sentence(window: Window) -> str:
    """Which window, what it is now, and why."""
    return f"{_name(window)} is {window.state}: {_reason(window)}"


def _name(window: Window) -> str:
    span = f"{_moment(window.from_at, 'the beginning')} to {_moment(window.until_at, 'now')}"
    if window.number is None:
        return f"what lies from {span}"
    return f"window {window.number} ({span})"


def _reason(window: Window) -> str:
    if window.reason is None:
        return "nothing is wrong with it"
    return _SENTENCES[window.reason].format(
        rows=window.rows,
        row=window.row,
        sealed=window.sealed_rows,
        missing=window.sealed_rows - window.rows,
        added=window.rows - window.sealed_rows,
    )


def _moment(at: dt.datetime | None, otherwise: str) -> str:
    return f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC" if at else otherwise
