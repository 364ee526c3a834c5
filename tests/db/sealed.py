"""Trails with a past, sealed, for the tests of the seal. The past lies in the month before this one,
which is over whatever day it is; who uses it takes the month away again."""

from __future__ import annotations

import copy
import datetime as dt
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dj_database_url
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.db import connections, transaction

from audit.models import TrailSeal, TrailVerification, TrailWatch
from audit.months.calendar import moved
from audit.seal import keys, sealing
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests.conftest import Connection
from tests.db import months

SUPERUSER = "superuser"
"""The alias of the server's superuser while `superuser` is open."""

INSERT = (
    "INSERT INTO agente_acao (tenant_id, correlacao_id, agente, agente_versao, modelo, "
    "instrucao_hash, acao, resultado, autorizacao, entrada_resumo, ocorrido_em) "
    "SELECT %s, gen_random_uuid(), 'console', '1', 'nenhum', 'x', 'historico.lido', 'ok', 'regra', "
    "'linha ' || n, %s::timestamptz + n * interval '7 minutes' FROM generate_series(0, %s) n"
)


def a_pem() -> str:
    key = Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def day() -> dt.datetime:
    """The tenth of last month, midnight UTC."""
    first = month()
    return dt.datetime(first.year, first.month, 10, tzinfo=dt.UTC)


def month() -> dt.date:
    return moved(months.this_month(), -1)


def at(hour: int, minute: int = 0) -> dt.datetime:
    return day() + dt.timedelta(hours=hour, minutes=minute)


def write(admin: Connection, tenant: Tenant, *hours: int, rows: int = 5) -> None:
    """So many rows in each of these hours, seven minutes apart."""
    months.make(month())
    for hour in hours:
        admin.execute(INSERT, [tenant.pk, at(hour), rows - 1])


def seal(tenant: Tenant, *, until: int = 24) -> int:
    """Seal what lies before that hour; how many windows."""
    count = 0
    while True:
        with tenant_scope(tenant.pk):
            seals = sealing.seal_closed(until=at(until), ring=keys.ring())
        if not seals:
            return count
        count += len(seals)


def fill(tenant: Tenant) -> None:
    """A row in each of the seal's tables. The trail has rows, of whatever hour."""
    with tenant_scope(tenant.pk):
        until = clock.now()
        assert sealing.seal_closed(until=until, ring=keys.parsed(a_pem()))
        TrailWatch.objects.create(tenant_id=tenant.pk)
        TrailVerification.objects.create(
            tenant_id=tenant.pk, from_at=until, until_at=until, windows=0, rows=0, good=True
        )


def seals(tenant: Tenant) -> list[TrailSeal]:
    with tenant_scope(tenant.pk):
        return list(TrailSeal.objects.order_by("number"))


@contextmanager
def superuser() -> Iterator[None]:
    """Django's own connection as the server's superuser, under the alias SUPERUSER."""
    parsed = dj_database_url.parse(os.environ["DATABASE_URL_ADMIN"])
    settings = copy.deepcopy(connections.databases["default"])
    for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT"):
        settings[name] = parsed[name]
    connections.databases[SUPERUSER] = settings
    try:
        yield
    finally:
        connections[SUPERUSER].close()
        del connections.databases[SUPERUSER]
        del connections[SUPERUSER]


@contextmanager
def undone() -> Iterator[None]:
    """What the superuser does in here, past all triggers, is rolled back at the end."""
    with transaction.atomic(using=SUPERUSER):
        run("SET LOCAL session_replication_role = 'replica'")
        yield
        transaction.set_rollback(True, using=SUPERUSER)


def run(sql: str, *parameters: Any) -> int:
    """As superuser; the number of rows."""
    with connections[SUPERUSER].cursor() as cursor:
        cursor.execute(sql, parameters or None)
        return int(cursor.rowcount)
