"""The throw-away server's superuser, as the process that measures is told of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

URL = "BENCH_SUPERUSER_URL"
Connection = psycopg.Connection[tuple[Any, ...]]


@contextmanager
def superuser(url: str | None = None) -> Iterator[Connection]:
    """Each statement by itself, unless a transaction is opened."""
    with psycopg.connect(url or os.environ[URL], autocommit=True) as admin:
        admin.execute("SET timezone = 'UTC'")
        yield admin
