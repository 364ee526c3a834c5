"""The arithmetic of the console's measurements; the measuring itself starts a whole instance."""

from __future__ import annotations

from opspilot.bench.console import Load, Pace, as_json, named
from opspilot.smoke.pages import Page

QUICK = Pace("/", "aprovador", 12.0, 20.0, 9000)
SLOW = Pace("/", "aprovador", 12.0, 201.0, 9000)
LIGHT = Load("/", 8, 250_000)
HEAVY = Load("/", 8, 250_001)


def test_the_files_of_a_page_are_counted_once_and_no_others() -> None:
    page = Page(
        '<link rel="stylesheet" href="/static/a.css"><script src="/static/a.js"></script>'
        '<svg><use href="/static/s.svg#x"/></svg><svg><use href="/static/s.svg#y"/></svg>'
        '<svg><use href="#here"/></svg><a href="/elsewhere/">x</a>'
    )
    assert named(page) == {"/static/a.css", "/static/a.js", "/static/s.svg"}


def test_a_page_over_its_limit_is_said_and_fails_nothing() -> None:
    found = as_json([QUICK, SLOW], [LIGHT])
    assert (found["ok"], found["within_limits"]) == (True, False)
    assert SLOW.line.endswith("over 200 ms")
    assert as_json([QUICK], [LIGHT])["within_limits"] is True
    assert as_json([QUICK], [HEAVY])["within_limits"] is False


def test_nothing_measured_is_not_ok() -> None:
    assert as_json([], [])["ok"] is False
