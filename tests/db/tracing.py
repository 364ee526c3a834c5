"""Customers with rows about them, their traces built as the worker builds them, and what is inside."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdf
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.db import connection

from audit.files import folders
from audit.models import Entity, Trace
from audit.trace import asking, building
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

REASON = "pedido de titular 2026-17"
# One statement: ten thousand rows by the one writer would take longer than the test may.
_ROWS = """
INSERT INTO agente_acao (tenant_id, correlacao_id, agente, agente_versao, modelo, instrucao_hash,
  acao, entidade_tipo, entidade_id, resultado, autorizacao, aprovado_por, fontes, entrada_resumo,
  saida_resumo, custo_exato, uso_conhecido, reversao_ref, erro, request_id)
SELECT %(tenant)s, coalesce(%(run)s::uuid, md5((n / 3)::text || %(entity)s)::uuid), 'console',
  'console@1', 'nenhum', 'h', 'issue.criada', 'cliente', %(entity)s, 'ok', 'humana',
  %(approver)s, %(sources)s::jsonb, %(input)s, %(output)s, n * 0.01, n %% 7 <> 0, %(undo)s,
  %(error)s, %(request)s
  FROM generate_series(1, %(count)s) n
"""


@dataclass(frozen=True, slots=True)
class Package:
    """The files of a package by name, as they are when unpacked."""

    path: Path
    files: dict[str, bytes]

    @property
    def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.files["linhas.json"])["linhas"]
        return found

    @property
    def manifest(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.files["manifesto.json"])
        return found

    @property
    def summary(self) -> str:
        reader = pypdf.PdfReader(io.BytesIO(self.files["resumo.pdf"]))
        return "\n".join(page.extract_text() for page in reader.pages)

    @property
    def everything(self) -> str:
        texts = [content.decode("utf-8", "replace") for content in self.files.values()]
        return "\n".join([*texts, self.summary])


def a_key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.generate()


def pem(key: Ed25519PrivateKey) -> str:
    form = PrivateFormat.PKCS8
    return key.private_bytes(Encoding.PEM, form, NoEncryption()).decode()


def a_customer(tenant: Tenant, title: str) -> Entity:
    with tenant_scope(tenant.pk):
        return Entity.objects.create(
            tenant_id=tenant.pk, type="cliente", title=title, document_hash=uuid.uuid4().hex
        )


def rows_about(entity: Entity, count: int = 1, **values: Any) -> None:
    blank = ("run", "approver", "input", "output", "undo", "error", "request")
    given = dict.fromkeys(blank) | {"sources": "[]"} | values
    with tenant_scope(entity.tenant_id), connection.cursor() as cursor:
        about = {"tenant": entity.tenant_id, "entity": str(entity.ref), "count": count}
        cursor.execute(_ROWS, given | about)


def an_asker(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.CONFORMIDADE)


def asked(entity: Entity, by: Principal) -> Trace:
    with tenant_scope(entity.tenant_id):
        return asking.ask(person=by, entity=entity, reason=REASON)


def now(trace: Trace) -> Trace:
    with tenant_scope(trace.tenant_id):
        return Trace.objects.get(pk=trace.pk)


def build(trace: Trace) -> Trace:
    building.advance(tenant_id=trace.tenant_id, trace_id=trace.pk)
    return now(trace)


def package(trace: Trace) -> Package:
    path = folders.package(trace)
    with zipfile.ZipFile(path) as found:
        return Package(path, {name: found.read(name) for name in found.namelist()})


def a_package(entity: Entity, by: Principal | None = None) -> Package:
    tenant = Tenant(pk=entity.tenant_id)
    return package(build(asked(entity, by or an_asker(tenant))))
