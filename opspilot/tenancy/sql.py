"""Runs the queries that stand in files of their own, inside the open tenant scope."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from django.db import connection

from opspilot.tenancy.scope import current_tenant_id


def rows(path: Path, **parameters: Any) -> list[tuple[Any, ...]]:
    """Every row of the file's query, which names the scope's tenant as `%(tenant_id)s`."""
    with connection.cursor() as cursor:
        cursor.execute(named(path), {"tenant_id": current_tenant_id(), **parameters})
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


@cache
def named(path: Path) -> str:
    return path.read_text(encoding="utf-8")
