"""The shelf of the named queries."""

from __future__ import annotations

from audit.reports import catalogue, library


def test_every_query_stands_on_the_shelf_once() -> None:
    shelved = [slug for _name, slugs in library._GROUPS for slug in slugs]
    assert sorted(shelved) == sorted(catalogue.NAMED)
