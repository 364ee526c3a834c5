"""What the page of an entity costs: beside one plain query, deep inside, with ten times the rows, and
after new statistics."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse

from audit.entities import CUSTOMER
from audit.story import filters, queries
from audit.story.filters import Chosen
from audit.story.queries import Place
from audit.views.story import PAGE
from opspilot.bench import audit_cast
from opspilot.bench.audit_explaining import Touched, explaining
from opspilot.bench.audit_superuser import superuser
from opspilot.collecting import set_the_code_apart
from opspilot.tenancy.models import User
from opspilot.tenancy.scope import tenant_scope

DEEP = 3_000  # the page that is asked for by cursor, where an entity has so many
WARM, QUERIES, TRIES = 5, 60, 25
STATISTICS = 20
_PLACE = """
SELECT ocorrido_em, id FROM agente_acao WHERE tenant_id = %s AND entidade_tipo = %s AND entidade_id = %s
   AND acao <> 'historico.lido' ORDER BY ocorrido_em DESC, id DESC OFFSET %s LIMIT 1
"""
_COUNT = """
SELECT count(*) FROM agente_acao WHERE tenant_id = %s AND entidade_tipo = %s AND entidade_id = %s
   AND acao <> 'historico.lido'
"""
# The page's first rows as one plain query gives them: every column of a line, nothing optional.
_PLAIN = """
SELECT id, ocorrido_em, correlacao_id, agente, acao, resultado, autorizacao, aprovado_por,
       politica_versao, fontes, entrada_resumo, saida_resumo, custo_exato, reversivel, reversao_ref, erro,
       aprovacao_id, duracao_ms, entidade_tipo, entidade_id, agente_versao, modelo, instrucao_hash,
       tokens_entrada, tokens_saida, uso_conhecido, informado_em
  FROM agente_acao
 WHERE tenant_id = %s AND entidade_tipo = %s AND entidade_id = %s
 ORDER BY ocorrido_em DESC, id DESC LIMIT %s
"""


def touched() -> dict[str, int]:
    """Shared buffers of the trail that the small entity's pages touch, each statement asked again."""
    with _reading() as client:
        return {name: _buffers(client, path) for name, path in _pages("small", 3).items()}


def measure(requests: int) -> dict[str, Any]:
    set_the_code_apart()  # as the web process does
    with _reading() as client:
        pages = _pages("small", DEEP) | _pages("large", DEEP)
        took = {name: _paced(partial(client.get, path), requests) for name, path in pages.items()}
    compared = _compared()
    return {
        "entity_page_p95_ms": max(pace["p95"] for pace in took.values()),
        "pages_ms": took,
        "deep_page": _deep(audit_cast.LARGE, DEEP),
        "large_rows": _count(audit_cast.LARGE),
        "middle_rows": _count(audit_cast.MIDDLE),
        "entity_query_vs_raw_sql": compared["ours"] / compared["plain"],
        "entity_query_ms": compared["ours"] * 1000,
        "raw_sql_ms": compared["plain"] * 1000,
    }


def flips() -> dict[str, Any]:
    """The worst of the first and the middle page's worst over its best, after each of STATISTICS new
    statistics; each time the best of TRIES, so that it is the plan's time and not the machine's. The
    same of the buffers that it touches, which no other work on the machine changes."""
    places = {"first": None, "middle": _place(audit_cast.MIDDLE, _count(audit_cast.MIDDLE) // 2)}
    took: dict[str, list[float]] = {name: [] for name in places}
    read: dict[str, list[int]] = {name: [] for name in places}
    with superuser() as admin:
        for _statistics in range(STATISTICS):
            admin.execute("ANALYZE agente_acao")
            for name, place in places.items():
                ask = partial(_history, audit_cast.MIDDLE, place)
                took[name].append(min(_seconds(ask) for _try in range(TRIES)))
                read[name].append(_explained(ask))
    return {
        "plan_flips": max(max(values) / min(values) for values in took.values()),
        "plan_flips_buffers": max(max(counts) / min(counts) for counts in read.values()),
        "plan_flips_ms": {
            name: [min(values) * 1000, max(values) * 1000] for name, values in took.items()
        },
    }


@contextmanager
def _reading() -> Iterator[Client]:
    client = Client(headers={"host": settings.ALLOWED_HOSTS[0]})
    auditor = User.objects.get(username="bench-auditor")
    client.force_login(auditor, backend=settings.AUTHENTICATION_BACKENDS[-1])
    yield client


def _pages(name: str, deep: int) -> dict[str, str]:
    """The entity's first page, and the one so deep or its last whole one."""
    entity = audit_cast.ref(name)
    first = reverse("audit:entity", args=[CUSTOMER, entity])
    place = _place(entity, (_deep(entity, deep) - 1) * PAGE - 1)
    return {f"{name} first": first, f"{name} deep": first + filters.older(Chosen(), place)}


def _deep(entity: UUID, wanted: int) -> int:
    return min(wanted, _count(entity) // PAGE)


def _buffers(client: Client, path: str) -> int:
    found = Touched()
    with connection.execute_wrapper(explaining(found)):
        _get(client, path)
    return found.buffers


def _explained(ask: Callable[[], Any]) -> int:
    found = Touched()
    with connection.execute_wrapper(explaining(found)):
        _seconds(ask)
    return found.buffers


def _paced(get: Callable[[], Any], requests: int) -> dict[str, float]:
    """Milliseconds; `cpu` is this process's own share, without the database and without waiting."""
    for _warming in range(WARM):
        get()
    begun = time.process_time()
    took = sorted(_answered(get) for _request in range(requests))
    return {
        "p50": statistics.median(took) * 1000,
        "p95": took[min(requests - 1, int(requests * 0.95))] * 1000,
        "cpu": (time.process_time() - begun) / requests * 1000,
    }


def _answered(get: Callable[[], Any]) -> float:
    started = time.perf_counter()
    answer = get()
    took = time.perf_counter() - started
    if answer.status_code != 200:
        raise AssertionError(f"a page was answered {answer.status_code}")
    return took


def _get(client: Client, path: str) -> None:
    _answered(partial(client.get, path))


def _compared() -> dict[str, float]:
    """Medians of the named query with its objects, and of the plain query with its tuples."""
    ways: dict[str, Callable[[], None]] = {
        "ours": partial(_history, audit_cast.MIDDLE, None),
        "plain": _plain,
    }
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _turn in range(WARM + QUERIES):
        for name, ask in ways.items():
            took[name].append(_seconds(ask))
    return {name: statistics.median(values[WARM:]) for name, values in took.items()}


def _seconds(ask: Callable[[], Any]) -> float:
    """Of the asking alone: the transaction is open before."""
    with tenant_scope(audit_cast.company()):
        started = time.perf_counter()
        ask()
        return time.perf_counter() - started


def _history(entity: UUID, before: Place | None) -> None:
    found = queries.entity_history(
        entity_type=CUSTOMER, entity_id=str(entity), before=before, limit=PAGE + 1
    )
    if len(found) != PAGE + 1:
        raise AssertionError(f"a page had {len(found)} rows")


def _plain() -> None:
    _asked(_PLAIN, audit_cast.MIDDLE, PAGE + 1)


def _count(entity: UUID) -> int:
    with tenant_scope(audit_cast.company()):
        return int(_asked(_COUNT, entity)[0][0])


def _place(entity: UUID, offset: int) -> Place:
    with tenant_scope(audit_cast.company()):
        return Place(*_asked(_PLACE, entity, offset)[0])


def _asked(sql: str, entity: UUID, *more: int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, [audit_cast.company(), CUSTOMER, str(entity), *more])
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found
