"""Many proposals at once: copies of one that a person made, inserted as the application's own role."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from approvals.policies import sha256
from opspilot.bootstrap.instance import Instance
from opspilot.tenancy.models import tenant_id_of

_COPY = """
INSERT INTO agente_aprovacao (
  tenant_id, ref, correlacao_id, acao, proposta, risco, estado, expira_em, solicitante,
  solicitante_nome, justificativa, acao_hash, politica_versao, aprovacoes_exigidas, papel_exigido,
  executar_ate, versao_esquema, cobertura, evidencia)
SELECT tenant_id, gen_random_uuid(), gen_random_uuid(), acao, proposta, risco, estado,
       expira_em + n * interval '1 second', solicitante, solicitante_nome, justificativa, acao_hash,
       politica_versao, aprovacoes_exigidas, papel_exigido, executar_ate + interval '1 hour',
       versao_esquema, cobertura, evidencia
  FROM agente_aprovacao, generate_series(1, %(count)s) AS n WHERE ref = %(like)s
RETURNING ref
"""
# As the requester would: the trigger moves the state.
_CANCEL = """
INSERT INTO approval_decision (tenant_id, approval_id, subject, subject_name, verdict, reason, seen_hash)
SELECT tenant_id, id, solicitante, solicitante_nome, 'cancelar', '', acao_hash
  FROM agente_aprovacao WHERE estado = 'pendente'
"""
_DECISIONS = "SELECT count(*) FROM approval_decision WHERE verdict <> 'cancelar'"


@contextmanager
def company(console: Instance, slug: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """The application's connection with one company's rows in sight."""
    with psycopg.connect(console.urls["app"], autocommit=True) as connection:
        tenant = str(tenant_id_of(slug))
        connection.execute("SELECT set_config('opspilot.tenant_id', %s, false)", [tenant])
        yield connection


@contextmanager
def waiting(console: Instance, slug: str, like: str, count: int) -> Iterator[list[str]]:
    """A queue of exactly `count` copies of the proposal at `like`, by deadline; emptied after."""
    _empty(console, slug)
    yield copies(console, slug, like, count)
    _empty(console, slug)


def copies(console: Instance, slug: str, like: str, count: int) -> list[str]:
    """`count` more pending proposals; their addresses in the order of the queue."""
    ref = UUID(like.split("/")[2])
    with company(console, slug) as connection:
        found = connection.execute(_COPY, {"like": ref, "count": count}).fetchall()
    return [f"/aprovacoes/{row[0]}/" for row in found]


def _empty(console: Instance, slug: str) -> None:
    with company(console, slug) as connection:
        connection.execute(_CANCEL)


def set_shortcuts(console: Instance, username: str, *, on: bool) -> None:
    with company(console, "boreal") as connection:
        connection.execute(
            "UPDATE console_user SET shortcuts = %s WHERE username = %s", [on, username]
        )


def decisions(console: Instance, slug: str) -> int:
    """How many verdicts the company's people gave, requests taken back apart."""
    with company(console, slug) as connection:
        row = connection.execute(_DECISIONS).fetchone()
    assert row is not None
    return int(str(row[0]))


_NEXT_POLICY = """
INSERT INTO policy_version (tenant_id, number, document, sha256, author, reason, activated_by)
SELECT tenant_id, number + 1, %(document)s, %(sha256)s, 'admin 1 (usuario:1)', 'Mudança de risco.',
       'admin 2 (usuario:2)'
  FROM policy_version ORDER BY number DESC LIMIT 1
"""


def put_in_force(console: Instance, slug: str, *, project: str, risk: str) -> None:
    """The next version of the company's policy: this project has another risk."""
    newest = "SELECT document FROM policy_version ORDER BY number DESC LIMIT 1"
    with company(console, slug) as database:
        row = database.execute(newest).fetchone()
        assert row is not None
        document: Any = row[0]
        document["projects"][project]["risk"] = risk
        values = {"document": Jsonb(document), "sha256": sha256(document)}
        database.execute(_NEXT_POLICY, values)
