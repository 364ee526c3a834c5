"""Ways a creation can end, by name: what a test orders for the next one that fits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from opspilot.sandbox.gitlab.faults import Fault, Kind, read_fault
from opspilot.sandbox.gitlab.messages import bad_parameter

Order = dict[str, Any]

_OUTLASTS_CLIENTS = 600.0  # seconds by the sandbox's clock
_OUTLASTS_A_LEASE = 90.0
_FOR_GOOD = 1_000_000  # times: until the faults are taken back

# The ten, and whether each has stored the issue, are in the name.
OUTCOMES: dict[str, Order] = {
    "stored_201": {},
    "refused": {"kind": Kind.REFUSE},
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
DRESSES: dict[str, Order] = {
    "captcha": {
        "kind": Kind.REFUSE,
        "status": 409,
        "body": {
            "message": {"error": "Your issue has been recognized as spam."},
            "needs_captcha_response": True,
            "spam_log_id": 1,
            "captcha_site_key": "sandbox",
        },
    },
    "duplicated": {"kind": Kind.REFUSE, "status": 409, "body": {"message": "Duplicated issue"}},
    "locked": {"kind": Kind.REFUSE, "status": 409, "body": {"message": "Resource lock"}},
    "spam": {"kind": Kind.REFUSE, "status": 400, "body": {"message": {"error": "Spam detected"}}},
    "granular_scope": {
        "kind": Kind.REFUSE,
        "body": {"error": "insufficient_granular_scope", "error_description": "create_issue"},
    },
    "throttled_plain": {"kind": Kind.THROTTLE, "style": "plain"},
    "throttled_json": {"kind": Kind.THROTTLE, "style": "json"},
    "throttled_reset": {"kind": Kind.THROTTLE, "style": "reset", "retry_after": 2},
    "gateway_502_stored": {"kind": Kind.GATEWAY_AFTER, "status": 502},
    "gateway_504_not_stored": {"kind": Kind.GATEWAY_BEFORE, "status": 504},
    "proxy_524_stored": {"kind": Kind.GATEWAY_AFTER, "status": 524},
    "timeout_408_stored": {"kind": Kind.GATEWAY_AFTER, "status": 408},
    "dropped_not_stored": {"kind": Kind.DROP_BEFORE},
    "dropped_stored": {"kind": Kind.DROP_AFTER},
    "cut_body_stored": {"kind": Kind.CUT_BODY},
    "login_page_stored": {"kind": Kind.HTML_200},
    "status_200_stored": {"kind": Kind.STATUS_200},
    "foreign_201_stored": {"kind": Kind.FOREIGN_BODY},
}
LISTINGS: dict[str, Order] = {
    "at_once": {},
    "late": {"kind": Kind.LIST_LATE, "seconds": 30.0},
    "search_blind": {"kind": Kind.SEARCH_BLIND},
}
EXTRAS: dict[str, Order] = {
    "none": {},
    "marker_edited": {"kind": Kind.MARKER_EDITED},
    "two_with_marker": {"kind": Kind.TWO_WITH_MARKER},
    "list_down": {"kind": Kind.LIST_DOWN, "times": _FOR_GOOD},
    "project_moved": {"kind": Kind.PROJECT_MOVED},
}
_NARROWING = ("operation", "path_contains", "body_contains")
_OF_THE_OUTCOME = ("seconds", "status", "retry_after")
_WANTED = ("outcome", "listing", "extra", *_NARROWING, *_OF_THE_OUTCOME)


def names() -> dict[str, list[str]]:
    return {
        "outcomes": list(OUTCOMES),
        "dresses": list(DRESSES),
        "listings": list(LISTINGS),
        "extras": list(EXTRAS),
    }


def read_order(wanted: Any) -> list[Fault]:
    """`{"outcome", "listing", "extra"}` and what narrows them; an absent one is the harmless one.

    `operation` is createIssue unless it names another; `seconds`, `status` and `retry_after`
    replace the outcome's own.
    """
    if not isinstance(wanted, dict) or not set(wanted) <= set(_WANTED):
        raise bad_parameter(f"an order is an object with some of: {', '.join(_WANTED)}")
    narrowing = {name: wanted[name] for name in _NARROWING if name in wanted}
    own = {name: wanted[name] for name in _OF_THE_OUTCOME if name in wanted}
    outcome = _named(OUTCOMES | DRESSES, wanted.get("outcome", "stored_201"))
    chosen = [
        _named(EXTRAS, wanted.get("extra", "none")),
        _named(LISTINGS, wanted.get("listing", "at_once")),
        outcome | own if outcome else {},
    ]
    faults = [read_fault(order | narrowing) for order in chosen if order]
    return [_for_creations(fault) for fault in faults]


def _named(known: dict[str, Order], name: Any) -> Order:
    if not isinstance(name, str) or name not in known:
        raise bad_parameter(f"one of these is wanted: {', '.join(known)}")
    return known[name]


def _for_creations(fault: Fault) -> Fault:
    if fault.kind is Kind.LIST_DOWN:  # what narrows a creation does not narrow the list
        return replace(fault, body_contains="", path_contains="")
    return replace(fault, operation=fault.operation or "createIssue")
