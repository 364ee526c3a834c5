"""The live instance's database as the web process sees it: the app role, one tenant or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import sql

from opspilot.tenancy.models import tenant_id_of
from opspilot.tenancy.scope import SETTING

Row = tuple[Any, ...]
VERSIONS = ("postgres", "pgvector", "embedding_model")


class Database:
    """Short transactions only: nothing here may hold up the product."""

    def __init__(self, url: str) -> None:
        self._url = url

    def rows(self, query: str, values: Sequence[object] = (), *, tenant: str = "") -> list[Row]:
        """What the query gives inside this tenant, or with no tenant set."""
        with self._transaction(tenant) as connection:
            return connection.execute(query, values).fetchall()

    def count(self, table: str, *, tenant: str = "") -> int:
        query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
        with self._transaction(tenant) as connection:
            row = connection.execute(query).fetchone()
        return int(row[0]) if row else 0

    def refusal(self, statement: str, table: str, *, tenant: str) -> str:
        """The SQLSTATE with which the database refuses to change this table; empty if it does not."""
        with self._transaction(tenant) as connection:
            try:
                connection.execute(sql.SQL(statement).format(sql.Identifier(table)))
            except psycopg.Error as exc:
                return exc.sqlstate or "unknown"
            connection.rollback()
        return ""

    @contextmanager
    def _transaction(self, tenant: str) -> Iterator[psycopg.Connection[Row]]:
        with psycopg.connect(self._url, connect_timeout=5) as connection:
            if tenant:
                connection.execute(
                    "SELECT set_config(%s, %s, true)", [SETTING, str(tenant_id_of(tenant))]
                )
            yield connection
            connection.rollback()


def partition_of_now(database: Database) -> str:
    """The trail's partition of this month, by the database's own clock."""
    query = "SELECT 'agente_acao_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')"
    return str(database.rows(query)[0][0])


def versions(database: Database) -> dict[str, str]:
    """Of the server and its extension, and the space its passages are embedded in."""
    server = database.rows("SHOW server_version")[0][0]
    extension = database.rows("SELECT extversion FROM pg_extension WHERE extname = 'vector'")[0][0]
    spaces = database.rows(
        "SELECT DISTINCT v.space FROM chunk_vector v JOIN chunk c ON c.id = v.chunk_id"
        " JOIN document_version d ON d.id = c.version_id WHERE d.active",
        tenant="aurora",
    )
    space = ", ".join(sorted(row[0] for row in spaces))
    # "18.6 (packager's words)": the number is the version.
    return dict(zip(VERSIONS, (str(server).split()[0], extension, space), strict=True))
