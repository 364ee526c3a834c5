"""The process that measures the peers: a Django of its own, in a database of its own on the same server.

PYTHONPATH names where their packages are. Each one is asked by its own interface for a history page,
and to remove a month; what they were written to do is left as it is.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import secrets
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from io import StringIO
from typing import Any

import dj_database_url
import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from opspilot.bench.audit_superuser import URL

ROWS, LARGE, OTHERS = 200_000, 20_000, 500  # history rows; of one object; how many share the rest
MONTHS, PAGE, DEEP = 24, 30, 600
WRITES, PAGES = 300, 20
# Copies of a row that the peer itself wrote, spread over objects and months.
_SPREAD = """
INSERT INTO {table} ({names}) SELECT {values}
  FROM (SELECT * FROM {table} ORDER BY {time} DESC LIMIT 1) t, generate_series(1, %(rows)s) n
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """A package, the model that it follows, and the table that it keeps."""

    package: str
    model: Any
    history: Any
    object_columns: tuple[str, ...]
    time: str
    page: Callable[[Any], Any]
    remove: Callable[[dt.datetime], object]


def main() -> None:
    url = dj_database_url.parse(os.environ[URL])
    settings.configure(
        SECRET_KEY=secrets.token_hex(32),
        USE_TZ=True,
        DATABASES={"default": url},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        PGTRIGGER_INSTALL_ON_MIGRATE=False,
        INSTALLED_APPS=[
            "django.contrib.contenttypes", "django.contrib.auth", "auditlog", "simple_history",
            "pgtrigger", "pghistory", "opspilot.bench.peers",
        ],
    )  # fmt: skip
    django.setup()
    call_command("migrate", verbosity=0)  # the tables that ours, which have no migrations, refer to
    call_command("migrate", run_syncdb=True, verbosity=0)
    call_command("pgtrigger", "install")
    found = {peer.package: _measured(peer) for peer in _peers()}
    sys.stdout.write(json.dumps({"rows": ROWS, **found}) + "\n")


def _peers() -> list[Peer]:
    """After `django.setup`: models cannot be named before."""
    models = import_module("opspilot.bench.peers.models")
    entries = import_module("auditlog.models").LogEntry
    kept, tracked = models.Kept.history.model, models.Tracked.pgh_event_model
    return [
        Peer("django-auditlog", models.Logged, entries, ("object_pk", "object_id"), "timestamp",
             entries.objects.get_for_object, partial(_flush, entries)),
        Peer("django-simple-history", models.Kept, kept, ("id",), "history_date",
             lambda one: one.history.all(), _clean),
        Peer("django-pghistory", models.Tracked, tracked, ("pgh_obj_id", "id"), "pgh_created_at",
             lambda one: tracked.objects.filter(pgh_obj=one).order_by("-pgh_id"),
             lambda before: tracked.objects.filter(pgh_created_at__lt=before).delete()),
    ]  # fmt: skip


def _measured(peer: Peer) -> dict[str, float]:
    write, plain = _writes(peer.model)
    large = peer.model.objects.latest("pk")
    _spread(peer, large.pk)
    first, deep = (_median(partial(_page, peer, large, start), PAGES) for start in (0, DEEP * PAGE))
    oldest = dt.datetime.now(dt.UTC) - dt.timedelta(days=(MONTHS - 1) * 30)
    removing = _seconds(partial(peer.remove, oldest))
    return {
        "write_ms": write,
        "plain_write_ms": plain,
        "write_vs_plain": write / plain,
        "page_first_ms": first,
        f"page_{DEEP}_ms": deep,
        "remove_month_ms": removing * 1000,
        "rows_left": peer.history.objects.count(),
    }


def _writes(model: Any) -> tuple[float, float]:
    """Milliseconds of one saved change with whatever history is kept of it, and of the same without
    one: by turns, so that what else the machine does falls on both."""
    plain = import_module("opspilot.bench.peers.models").Plain
    ones = [kind.objects.create(title="Fila parada", state="0") for kind in (model, plain)]
    took = [[_seconds(partial(_change, one)) for one in ones] for _write in range(WRITES)]
    with_history, without = (statistics.median(way) * 1000 for way in zip(*took, strict=True))
    return with_history, without


def _change(one: Any) -> None:
    one.state = str(int(one.state) + 1)
    one.save()


def _spread(peer: Peer, large: int) -> None:
    columns = [field.column for field in peer.history._meta.concrete_fields]
    columns.remove(peer.history._meta.pk.column)
    owner = f"CASE WHEN n %% {ROWS // LARGE} = 0 THEN {large} ELSE {large} + 1 + n %% {OTHERS} END"
    given = dict.fromkeys(peer.object_columns, owner)
    given["object_pk"] = f"({owner})::text"
    given[peer.time] = f"now() - interval '{MONTHS * 30} days' * (1 - n::float8 / {ROWS})"
    values = [given.get(name, f"t.{name}") for name in columns]
    sql = _SPREAD.format(
        table=peer.history._meta.db_table, names=", ".join(columns), values=", ".join(values),
        time=peer.time,
    )  # fmt: skip
    with connection.cursor() as cursor:
        for constraint in _foreign_keys(cursor, peer.history._meta.db_table):
            cursor.execute(
                f"ALTER TABLE {peer.history._meta.db_table} DROP CONSTRAINT {constraint}"
            )
        cursor.execute(sql, {"rows": ROWS})
        cursor.execute(f"VACUUM (ANALYZE) {peer.history._meta.db_table}")


def _foreign_keys(cursor: Any, table: str) -> Sequence[str]:
    """The other objects are not made: only their history is."""
    cursor.execute(
        "SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid = %s::regclass", [table]
    )
    return [name for (name,) in cursor.fetchall()]


def _page(peer: Peer, one: Any, start: int) -> None:
    if len(peer.page(one)[start : start + PAGE]) != PAGE:
        raise AssertionError(f"{peer.package} gave no whole page")


def _median(act: Callable[[], None], times: int) -> float:
    """Milliseconds."""
    return statistics.median(_seconds(act) for _time in range(times)) * 1000


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def _flush(entries: Any, before: dt.datetime) -> None:
    call_command("auditlogflush", yes=True, before_date=before.date(), stdout=StringIO())


def _clean(before: dt.datetime) -> None:
    days = (dt.datetime.now(dt.UTC) - before).days
    call_command("clean_old_history", "peers.Kept", days=days, stdout=StringIO())


if __name__ == "__main__":
    main()
