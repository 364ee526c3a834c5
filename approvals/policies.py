"""Writes policy versions: one admin drafts with a reason, another puts it in force.

Version 1 comes from the installation's fixture. A version is never edited; going back to an older
one is a new draft of the same document.
"""

from __future__ import annotations

import hashlib
import uuid
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from pydantic import ValidationError

from approvals import canonical
from approvals.errors import (
    DraftClosedError,
    DraftOutdatedError,
    InvalidPolicyError,
    NothingChangesError,
    ReasonRequiredError,
    SecondAdminError,
)
from approvals.models import DraftOutcome, PolicyDraft, PolicyVersion
from approvals.policy.policy_document import PolicyDocument
from approvals.rules import NoPolicyError
from audit import trail
from audit.vocabulary import Authorization, Result
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy.principal import Principal, Role, signature
from opspilot.tenancy.scope import current_tenant_id

MIN_REASON = 10
VERSIONS = 100


def install(*, document: dict[str, Any], by: str) -> PolicyVersion:
    """Put the installation's own document in force; the same document again changes nothing.

    Raises pydantic's ValidationError for a document that does not fit the schema.
    """
    PolicyDocument.model_validate(document)
    last = latest()
    if last is not None and last.sha256 == sha256(document):
        return last
    version = _insert(document, number=last.number + 1 if last else 1, activated_by=by)
    _record("politica.ativada", version.number, version.sha256, by, None)
    return version


def draft(
    *, author: Principal, document: dict[str, Any], reason: str, based_on: int | None = None
) -> PolicyDraft:
    """Store a policy for another admin to read; nothing changes yet.

    `based_on` is the version in force the author was looking at; None = the one of now. Raises
    DraftOutdatedError when another has come into force since: what it changed would be undone.
    Raises InvalidPolicyError naming the fields, NothingChangesError or ReasonRequiredError.
    """
    _check_admin(author)
    if len(reason.strip()) < MIN_REASON:
        raise ReasonRequiredError
    _check(document)
    last = latest()
    if based_on is not None and based_on != (last.number if last else 0):
        raise DraftOutdatedError
    if last is not None and _says_the_same(last.document, document):
        raise NothingChangesError
    row = PolicyDraft(
        tenant_id=author.tenant_id,
        document=document,
        sha256=sha256(document),
        based_on=last.number if last else 0,
        reason=reason.strip(),
        author=author.subject,
        author_name=author.name,
    )
    row.save(force_insert=True)
    _record("politica.proposta", row.based_on, row.sha256, author.signature, None)
    return row


def activate(*, draft: PolicyDraft, admin: Principal, seen_sha256: str) -> PolicyVersion:
    """The second admin's act: what they read becomes the next version, now.

    Raises SecondAdminError for the author, DraftOutdatedError when another version came into force
    meanwhile or the content is not what was shown, DraftClosedError when it was closed.
    """
    _check_admin(admin)
    if admin.subject == draft.author:
        raise SecondAdminError
    last = latest()
    if seen_sha256 != draft.sha256 or sha256(draft.document) != draft.sha256:
        raise DraftOutdatedError
    if draft.based_on != (last.number if last else 0):
        raise DraftOutdatedError
    _check(draft.document)
    author = signature(draft.author_name, draft.author)
    try:
        with transaction.atomic():
            _close(draft, DraftOutcome.ATIVADO, admin)
            version = _insert(
                draft.document,
                number=draft.based_on + 1,
                author=author,
                reason=draft.reason,
                activated_by=admin.signature,
            )
    except IntegrityError as exc:  # another admin put another draft in force at the same instant
        raise DraftOutdatedError from exc
    _record("politica.ativada", version.number, version.sha256, author, admin.signature)
    return version


def discard(*, draft: PolicyDraft, admin: Principal) -> None:
    """Close a draft that will not be used; its author may, and so may any other admin."""
    _check_admin(admin)
    _close(draft, DraftOutcome.DESCARTADO, admin)
    _record("politica.descartada", draft.based_on, draft.sha256, admin.signature, None)


def latest() -> PolicyVersion | None:
    return PolicyVersion.objects.order_by("-number").first()


def version_in_force() -> PolicyVersion:
    found = latest()
    if found is None:
        raise NoPolicyError
    return found


def versions() -> list[PolicyVersion]:
    """The newest VERSIONS, newest first."""
    return list(PolicyVersion.objects.order_by("-number")[:VERSIONS])


def open_drafts() -> list[PolicyDraft]:
    return list(PolicyDraft.objects.filter(outcome=DraftOutcome.ABERTO).order_by("-pk")[:VERSIONS])


def waits(draft: PolicyDraft) -> bool:
    """Whether another admin can still put it in force: no version has come between."""
    last = latest()
    return draft.outcome == DraftOutcome.ABERTO and draft.based_on == (last.number if last else 0)


def waiting_for(*, admin: Principal) -> list[PolicyDraft]:
    """Those this admin can put in force: of another one, and not overtaken by a version."""
    last = latest()
    number = last.number if last else 0
    return [d for d in open_drafts() if d.author != admin.subject and d.based_on == number]


def version(*, number: int) -> PolicyVersion:
    found = PolicyVersion.objects.filter(number=number).first()
    if found is None:
        raise NotFoundError
    return found


def draft_of(*, ref: UUID) -> PolicyDraft:
    found = PolicyDraft.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def sha256(document: dict[str, Any]) -> str:
    return hashlib.sha256(canonical.dumps(document).encode()).hexdigest()


def _check_admin(person: Principal) -> None:
    if not person.has(Role.ADMIN):
        raise RoleRequiredError(roles=[Role.ADMIN])


def _check(document: dict[str, Any]) -> None:
    try:
        PolicyDocument.model_validate(document)
    except ValidationError as exc:
        fields = sorted({".".join(str(part) for part in error["loc"]) for error in exc.errors()})
        raise InvalidPolicyError(fields=fields) from None


def _says_the_same(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Also where one names a default that the other leaves out."""
    try:
        read = PolicyDocument.model_validate(before)
    except ValidationError:  # a policy of rules this code does not know can be replaced
        return sha256(before) == sha256(after)
    return read == PolicyDocument.model_validate(after)


def _close(draft: PolicyDraft, outcome: DraftOutcome, admin: Principal) -> None:
    still_open = PolicyDraft.objects.filter(pk=draft.pk, outcome=DraftOutcome.ABERTO)
    if not still_open.update(outcome=outcome, closed_by=admin.signature, closed_at=Now()):
        raise DraftClosedError


def _insert(document: dict[str, Any], **values: Any) -> PolicyVersion:
    row = PolicyVersion(
        tenant_id=current_tenant_id(), document=document, sha256=sha256(document), **values
    )
    row.save(force_insert=True)
    return row


def _record(action: str, number: int, sha: str, by: str, second: str | None) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao=action,
            resultado=Result.OK,
            autorizacao=Authorization.HUMANA if second else Authorization.REGRA,
            aprovado_por=second,
            politica_versao=number,
            entrada_resumo=by,
            saida_resumo=f"versão {number}, sha256 {sha}",
        )
    )
