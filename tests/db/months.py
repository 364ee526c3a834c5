"""Months of the trail that tests make, fill, seal and let go: long past ones, and their own."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from audit.models import TrailExpiry, TrailRetention
from audit.months import creating, holds, retention
from audit.months.calendar import first_of, moved, start_of
from audit.seal import keys, sealing
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection

INSERT = (
    "INSERT INTO agente_acao (tenant_id, ocorrido_em, correlacao_id, agente, agente_versao, modelo, "
    "instrucao_hash, acao, entidade_tipo, entidade_id, resultado, autorizacao, saida_resumo, "
    "custo_exato, fontes) "
    "SELECT %s, %s::timestamptz + n * interval '1 hour', %s, 'console', 'console@1', 'nenhum', 'x', "
    "'historico.lido', %s, %s, 'ok', 'regra', 'acentuação “aspas” ' || n, n * 0.125, "
    "jsonb_build_array(jsonb_build_object('titulo', 'Fila parada', 'n', n)) "
    "FROM generate_series(0, %s) n"
)


def a_key() -> str:
    private = Ed25519PrivateKey.generate()
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def a_rule(tenant: Tenant, months: int = 1) -> TrailRetention:
    """A retention in force: written by one admin, activated by another."""
    first, second = (factories.a_principal(tenant, Role.ADMIN) for _ in range(2))
    with tenant_scope(tenant.pk):
        rule = retention.propose(
            admin=first, months=months, basis="Política de guarda 7/2026", reason="Guarda mínima."
        )
        retention.activate(rule=rule, admin=second)
        return rule


def fill_tables(tenant: Tenant) -> None:
    """A row in each table of the room; inside the tenant's scope."""
    writer = factories.a_principal(tenant, Role.ADMIN)
    late = retention.propose(admin=writer, months=2, basis="Parecer 8/2026", reason="Outro prazo.")
    retention.end(rule=late, admin=writer, reason="Escrita por engano.")
    a_rule(tenant)
    people = factories.a_principal(tenant, Role.CONFORMIDADE)
    hold = holds.place(person=people, entity=None, reason="Pedido do jurídico 3/2026")
    holds.lift(hold=hold, person=people, reason="Pedido encerrado em 4/2026")
    a_line(tenant, dt.date(1990, 1, 1))


def a_line(tenant: Tenant, month: dt.date, **facts: Any) -> TrailExpiry:
    """A line of the ledger that nobody signed; inside the scope of a tenant with a rule."""
    rule = TrailRetention.objects.filter(tenant=tenant).latest("pk")
    return TrailExpiry.objects.create(
        tenant=tenant, month=month, from_at=start_of(month), until_at=start_of(moved(month, 1)),
        root="", retention=rule, basis=rule.basis, author="", archive="", archive_sha256="",
        trail_row=1, statement={}, key="", signature="",
        **{"rows": 1, "first_row": 1, "last_row": 1} | facts,
    )  # fmt: skip


def fill(
    admin: Connection,
    tenant: Tenant,
    month: dt.date,
    *,
    rows: int = 3,
    entity: tuple[str, str] | None = None,
    run: uuid.UUID | None = None,
) -> None:
    """Rows of long ago, an hour apart, as the trail's own trigger hashes them."""
    type_, ref = entity or (None, None)
    start = f"{month:%Y-%m-%d} 06:30+00"
    admin.execute(INSERT, [tenant.pk, start, run or uuid.uuid4(), type_, ref, rows - 1])


def seal(tenant: Tenant) -> None:
    with tenant_scope(tenant.pk):
        until = clock.now().replace(minute=0, second=0, microsecond=0)
        while sealing.seal_closed(until=until, ring=keys.ring()):
            pass


def make(month: dt.date) -> None:
    creating.call("SELECT create_trail_month(%s)", month, using="maintenance")


def lines(tenant: Tenant) -> list[TrailExpiry]:
    with tenant_scope(tenant.pk):
        return list(TrailExpiry.objects.order_by("month"))


def tables(admin: Connection, month: dt.date) -> list[str]:
    """The tables of that month, attached or not."""
    found = admin.execute(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE %s",
        [f"agente_acao_{month:%Y_%m}%"],
    )
    return [str(name) for (name,) in found.fetchall()]


def forget(admin: Connection, month: dt.date) -> None:
    for name in tables(admin, month):
        admin.execute(f'DROP TABLE "{name}"')


def this_month() -> dt.date:
    return first_of(dt.datetime.now(dt.UTC))


@contextmanager
def detached(admin: Connection, month: dt.date) -> Iterator[str]:
    """The month taken out of the trail by hand; given back at the end, whatever happened."""
    name = f"agente_acao_{month:%Y_%m}"
    admin.execute(f"ALTER TABLE agente_acao DETACH PARTITION {name}")
    try:
        yield name
    finally:
        creating.create()


def ago(count: int) -> dt.date:
    return moved(this_month(), -count)
