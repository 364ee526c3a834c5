"""The database of a run is made and migrated before pytest starts; tests use it as the app does.

Two ways in. `db` (pytest-django's) rolls everything back. `committed` rolls nothing back and empties
nothing, because the runtime role may not TRUNCATE: a test that uses it makes a tenant of its own,
and the isolation under test keeps it apart from every other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connections
from django.utils import timezone, translation
from pytest_django import DjangoDbBlocker

Row = tuple[Any, ...]
Connection = psycopg.Connection[Row]


@pytest.fixture(autouse=True)
def no_language_left_over() -> Iterator[None]:
    """A request leaves its language and zone active in the thread, as Django has it: the next
    request sets its own, the next test does not."""
    yield
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(scope="session")
def django_db_setup() -> Iterator[None]:
    """No test database is created: the one that DATABASE_URL names is already the throw-away one."""
    yield
    connections.close_all()


@pytest.fixture
def committed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database with real commits. Isolate by `factories.a_tenant()`; nothing is cleaned up."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture(scope="session")
def admin() -> Iterator[Connection]:
    """The server's superuser: for what somebody with the keys could do behind the product's back."""
    with psycopg.connect(os.environ["DATABASE_URL_ADMIN"], autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def owner() -> Iterator[Connection]:
    with psycopg.connect(os.environ["DATABASE_URL_OWNER"], autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def maintenance() -> Iterator[Connection]:
    with psycopg.connect(os.environ["DATABASE_URL_MAINTENANCE"], autocommit=True) as connection:
        yield connection
