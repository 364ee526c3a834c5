"""Edits and activates policy versions. Version 1 comes from a fixture with a schema."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from approvals import canonical
from approvals.models import PolicyVersion
from approvals.policy_document import PolicyDocument
from audit import trail
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.scope import current_tenant_id


def activate(*, document: dict[str, Any], by: str) -> PolicyVersion:
    """Store the next version and put it in force; the same document again changes nothing.

    Raises pydantic's ValidationError for a document that does not fit the schema.
    """
    PolicyDocument.model_validate(document)
    sha = hashlib.sha256(canonical.dumps(document).encode()).hexdigest()
    last = PolicyVersion.objects.order_by("-number").first()
    if last is not None and last.sha256 == sha:
        return last
    version = PolicyVersion(
        tenant_id=current_tenant_id(),
        number=last.number + 1 if last else 1,
        document=document,
        sha256=sha,
        activated_by=by,
    )
    version.save(force_insert=True)
    _record(version, by)
    return version


def _record(version: PolicyVersion, by: str) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao="politica.ativada",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            politica_versao=version.number,
            entrada_resumo=by,
            saida_resumo=f"versão {version.number}, sha256 {version.sha256}",
        )
    )
