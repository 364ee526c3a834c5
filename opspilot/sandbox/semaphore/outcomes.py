"""Ways a start can end, by name: what a test orders for the next one that fits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from opspilot.sandbox.semaphore.faults import START, Fault, Kind, read_fault
from opspilot.sandbox.semaphore.messages import refused
from opspilot.sandbox.semaphore.model import Record
from opspilot.sandbox.semaphore.plays import Play

_OUTLASTS_CLIENTS = 600.0  # seconds by the sandbox's clock
_OUTLASTS_A_LEASE = 90.0
_FOR_GOOD = 1_000_000  # times: until the faults are taken back

# The ten, and whether each has stored the task, are in the name.
OUTCOMES: dict[str, Record] = {
    "stored_201": {},
    "refused": {"kind": Kind.REFUSE, "status": 400, "body": {"error": "invalid task"}},
    "throttled": {"kind": Kind.THROTTLE, "retry_after": 2},
    "error_not_stored": {"kind": Kind.ERROR_BEFORE},
    "error_stored": {"kind": Kind.ERROR_AFTER},
    "timeout_not_stored": {"kind": Kind.HANG_BEFORE, "seconds": _OUTLASTS_CLIENTS},
    "timeout_stored": {"kind": Kind.SLOW, "seconds": _OUTLASTS_CLIENTS},
    "reset_stored": {"kind": Kind.RESET_AFTER},
    "broken_body_stored": {"kind": Kind.BROKEN_BODY},
    "slow_201": {"kind": Kind.SLOW, "seconds": _OUTLASTS_A_LEASE},
}
# Each alike to one of the ten for the client's next move, in another dress.
DRESSES: dict[str, Record] = {
    "not_a_member": {"kind": Kind.REFUSE, "status": 404},
    "not_allowed": {"kind": Kind.REFUSE, "status": 403},
    "throttled_plain": {"kind": Kind.THROTTLE},
    "gateway_502_stored": {"kind": Kind.GATEWAY_AFTER, "status": 502},
    "gateway_504_not_stored": {"kind": Kind.GATEWAY_BEFORE, "status": 504},
    "timeout_408_stored": {"kind": Kind.GATEWAY_AFTER, "status": 408},
    "dropped_not_stored": {"kind": Kind.DROP_BEFORE},
    "dropped_stored": {"kind": Kind.DROP_AFTER},
    "cut_body_stored": {"kind": Kind.CUT_BODY},
    "login_page_stored": {"kind": Kind.HTML_200},
    "status_200_stored": {"kind": Kind.STATUS_200},
}
LISTINGS: dict[str, Record] = {
    "at_once": {},
    "late": {"kind": Kind.LIST_LATE, "seconds": 30.0},
    "blind": {"kind": Kind.LIST_LATE, "seconds": 3e8},
}
EXTRAS: dict[str, Record] = {
    "none": {},
    "marker_edited": {"kind": Kind.MARKER_EDITED},
    "two_with_marker": {"kind": Kind.TWO_WITH_MARKER},
    "list_down": {"kind": Kind.LIST_DOWN, "times": _FOR_GOOD},
    "member_no_more": {"kind": Kind.MEMBER_NO_MORE},
}
_NARROWING = ("operation", "path_contains", "body_contains")
_OF_THE_OUTCOME = ("seconds", "status", "retry_after")
_WANTED = ("outcome", "listing", "extra", "play", *_NARROWING, *_OF_THE_OUTCOME)


def names() -> dict[str, list[str]]:
    return {
        "outcomes": list(OUTCOMES),
        "dresses": list(DRESSES),
        "listings": list(LISTINGS),
        "extras": list(EXTRAS),
        "plays": list(Play),
    }


def read_order(wanted: Any) -> list[Fault]:
    """`{"outcome", "listing", "extra", "play"}` and what narrows them; an absent one does no harm.

    `operation` is startTask unless it names another; `seconds`, `status` and `retry_after`
    replace the outcome's own.
    """
    if not isinstance(wanted, dict) or not set(wanted) <= set(_WANTED):
        raise refused(400, f"an order is an object with some of: {', '.join(_WANTED)}")
    narrowing = {name: wanted[name] for name in _NARROWING if name in wanted}
    own = {name: wanted[name] for name in _OF_THE_OUTCOME if name in wanted}
    outcome = _named(OUTCOMES | DRESSES, wanted.get("outcome", "stored_201"))
    chosen = [
        _named(EXTRAS, wanted.get("extra", "none")),
        _named(LISTINGS, wanted.get("listing", "at_once")),
        {"kind": Kind.PLAY, "play": wanted["play"]} if wanted.get("play") else {},
        outcome | own if outcome else {},
    ]
    return [_for_starts(read_fault(order | narrowing)) for order in chosen if order]


def _named(known: dict[str, Record], name: Any) -> Record:
    if not isinstance(name, str) or name not in known:
        raise refused(400, f"one of these is wanted: {', '.join(known)}")
    return known[name]


def _for_starts(fault: Fault) -> Fault:
    if fault.kind is Kind.LIST_DOWN:  # what narrows a start does not narrow the list
        return replace(fault, body_contains="", path_contains="")
    return replace(fault, operation=fault.operation or START)
