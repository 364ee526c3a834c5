"""Queries that Django composes once and the database answers as often as they are asked.

To compose the query of a queue takes longer than to answer it. What is composed follows from what
the composing function is given, the person with their tenant among it, and from nothing else: it
never grows old, and no two tenants share one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

KEPT = 512
"""How many of a kind a process keeps: each is a few kilobytes of text."""


@dataclass(frozen=True, slots=True)
class Composed:
    """SQL and its values; no text = Django already knows that nothing can be found."""

    text: str = ""
    values: tuple[Any, ...] = ()

    def about(self, stand_in: object, value: object) -> Composed:
        """The same with a value of this time where the query was composed with a stand-in."""
        values = tuple(value if one == stand_in else one for one in self.values)
        return replace(self, values=values)

    def distinct(self) -> Composed:
        """Each of its rows once. Said around it, as inside it a limit would count the repeated."""
        text = f"SELECT DISTINCT * FROM ({self.text}) found"  # noqa: S608 - Django's own text
        return replace(self, text=text) if self.text else self

    def rows(self) -> list[tuple[Any, ...]]:
        """As the driver reads them: `jsonb` is still text."""
        if not self.text:
            return []
        with connection.cursor() as cursor:
            cursor.execute(self.text, self.values)
            found: list[tuple[Any, ...]] = cursor.fetchall()
            return found


def of(query: QuerySet[Any, Any]) -> Composed:
    """Of a query of `values_list`; asks nothing yet."""
    try:
        text, values = query.query.sql_with_params()
    except EmptyResultSet:
        return Composed()
    return Composed(text, tuple(values))
