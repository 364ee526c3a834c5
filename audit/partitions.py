"""Months of the trail: this one and the next three always exist (ADR 0002)."""

from __future__ import annotations

import datetime as dt

from django.db import connections

AHEAD = 3


def wanted(today: dt.date) -> list[dt.date]:
    """The first days of this month and of the next AHEAD months, in UTC."""
    first = today.year * 12 + today.month - 1
    return [dt.date(m // 12, m % 12 + 1, 1) for m in range(first, first + AHEAD + 1)]


def create(*, using: str = "maintenance", today: dt.date | None = None) -> list[str]:
    """Create what is missing; returns the months that are new, as YYYY-MM."""
    months = wanted(today or dt.datetime.now(dt.UTC).date())
    with connections[using].cursor() as cursor:
        return [f"{month:%Y-%m}" for month in months if _create(cursor, month)]


def existing(*, using: str = "default") -> list[str]:
    """The months attached to the trail, by the catalogue, as YYYY-MM."""
    with connections[using].cursor() as cursor:
        cursor.execute(
            "SELECT replace(right(c.relname, 7), '_', '-') FROM pg_inherits i "
            "JOIN pg_class c ON c.oid = i.inhrelid "
            "WHERE i.inhparent = 'agente_acao'::regclass ORDER BY 1"
        )
        return [row[0] for row in cursor.fetchall()]


def _create(cursor: object, month: dt.date) -> bool:
    cursor.execute("SELECT create_trail_month(%s)", [month])  # type: ignore[attr-defined]
    return bool(cursor.fetchone()[0])  # type: ignore[attr-defined]
