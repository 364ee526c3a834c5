"""`/livez` and `/readyz`, answered before the host check: a probe sends no domain in Host."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse

from audit.months import catalogue
from opspilot.tenancy.guard import UnsafeRoleError, refuse_unsafe_role


class ProbeMiddleware:
    """Liveness without I/O; readiness = database answers, role is safe, migrations are applied, and
    the trail has a month for now: without one nothing can be recorded, so nothing may be done."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        # Once applied they stay so for this process: a probe need not read them all again.
        self.migrated = False

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/livez":
            return _plain("ok")
        if request.path == "/readyz":
            fault = self._fault()
            return _plain(fault or "ok", status=503 if fault else 200)
        return self.get_response(request)

    def _fault(self) -> str:
        try:
            refuse_unsafe_role()
            self.migrated = self.migrated or _is_migrated()
            fault = ("" if _trail_is_open() else "trail") if self.migrated else "migrations"
        except DatabaseError:
            return "database"
        except UnsafeRoleError:
            return "database role"
        finally:
            connection.close_if_unusable_or_obsolete()
        return fault


def _is_migrated() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _trail_is_open() -> bool:
    today = dt.datetime.now(dt.UTC).date()
    return catalogue.ahead(catalogue.months_of(), today) >= 0


def _plain(body: str, status: int = 200) -> HttpResponse:
    response = HttpResponse(body, status=status, content_type="text/plain; charset=utf-8")
    response["Cache-Control"] = "no-store"
    return response
