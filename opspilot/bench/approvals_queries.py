"""How often a page asks the database, from the first look at the session to the last of the page."""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from opspilot.tenancy.models import User

# A transaction's own words read and write nothing.
_WORDS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def queries_of(username: str, path: str) -> int:
    client = Client(headers={"host": settings.ALLOWED_HOSTS[0]})
    client.force_login(
        User.objects.get(username=username), backend=settings.AUTHENTICATION_BACKENDS[-1]
    )
    client.get(path)
    with CaptureQueriesContext(connection) as found:
        answer = client.get(path)
    if answer.status_code != 200:
        raise AssertionError(f"{path} was answered {answer.status_code}")
    return sum(not query["sql"].startswith(_WORDS) for query in found.captured_queries)
