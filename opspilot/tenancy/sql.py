"""Runs the queries that stand in files of their own, inside the open tenant scope."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from django.db import connection, connections
from django.db.models import Model

from opspilot.tenancy.scope import current_tenant_id

_Row = TypeVar("_Row", bound=Model)


def rows(path: Path, **parameters: Any) -> list[tuple[Any, ...]]:
    """Every row of the file's query, which names the scope's tenant as `%(tenant_id)s`."""
    with connection.cursor() as cursor:
        cursor.execute(named(path), {"tenant_id": current_tenant_id(), **parameters})
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def record(*paths: Path, **parameters: Any) -> dict[str, Any]:
    """The one row of each file's query, all read by one statement, with its columns by name.

    `json` comes as Python's own values, with moments as text; see `built` for whole rows.
    """
    parts = ", ".join(f"({named(path)}) part{number}" for number, path in enumerate(paths))
    with connection.cursor() as cursor:
        joined = f"SELECT * FROM {parts}"  # noqa: S608 - the text of our own files
        cursor.execute(joined, {"tenant_id": current_tenant_id(), **parameters})
        names = [column.name for column in cursor.description or ()]
        return dict(zip(names, cursor.fetchone() or (), strict=True))


def built(model: type[_Row], found: dict[str, Any]) -> _Row:
    """A whole row that was read as `json`, as the model's own."""
    fields = model._meta.concrete_fields
    values = [field.to_python(found[str(field.column)]) for field in fields]
    return model.from_db(connection.alias, [field.attname for field in fields], values)


@contextmanager
def server_side(*, page: int, using: str = "default") -> Iterator[Any]:
    """A cursor for a result of any length: `page` rows of it are in memory at once. One statement, one
    view of the data, inside the open transaction; closed when the block is left, whatever happens.

    Any, and not psycopg's own class: that one takes literals, and our texts stand in files."""
    database = connections[using]
    database.ensure_connection()
    name = f"rows_{uuid.uuid4().hex}"
    with database.wrap_database_errors, database.connection.cursor(name=name) as cursor:
        cursor.itersize = page
        yield cursor


@cache
def named(path: Path) -> str:
    return path.read_text(encoding="utf-8")
