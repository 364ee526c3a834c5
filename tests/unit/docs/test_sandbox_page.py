"""The sandbox's page names what can be ordered, and nothing else."""

from __future__ import annotations

import re

from opspilot.sandbox.gitlab import outcomes
from tests.unit.docs.documents import DOCS

PAGE = (DOCS / "reference" / "sandbox-gitlab.md").read_text()


def _first_cells(head: str) -> set[str]:
    table = PAGE.split(f"| {head} |", 1)[1].split("\n\n", 1)[0]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def test_the_page_names_exactly_the_outcomes_there_are() -> None:
    assert _first_cells("outcome") == set(outcomes.OUTCOMES) | set(outcomes.DRESSES)


def test_the_page_names_exactly_the_listings_there_are() -> None:
    assert _first_cells("listing") == set(outcomes.LISTINGS)


def test_the_page_names_exactly_the_extras_there_are() -> None:
    assert _first_cells("extra") == set(outcomes.EXTRAS)
