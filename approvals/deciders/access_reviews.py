"""The quarterly word of an auditor that the list of who decides what is right, and its exports."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.timezone import localtime

from approvals.deciders import access
from approvals.deciders.access import Owners
from approvals.deciders.access_errors import AlreadyAttestedError, ListChangedError
from approvals.models import AccessReview
from audit import trail
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy import clock
from opspilot.tenancy import selectors as people
from opspilot.tenancy.principal import Principal, Role

LISTED = 40  # ten years of quarters
MAX_REMARK = 1000


def attest(
    *, reviewer: Principal, owners: Owners, seen_sha256: str, remark: str = ""
) -> AccessReview:
    """Store the list as it is now under the auditor's name, if it is the one they were shown.

    Raises RoleRequiredError, ListChangedError or AlreadyAttestedError.
    """
    if Role.AUDITOR not in people.roles_now(user_id=reviewer.user_id):
        raise RoleRequiredError
    picture = access.now(owners=owners)
    if seen_sha256 != picture.sha256:
        raise ListChangedError
    row = AccessReview(
        tenant_id=reviewer.tenant_id,
        period=period_of(picture.at),
        reviewer=reviewer.subject,
        reviewer_name=reviewer.name,
        remark=remark.strip()[:MAX_REMARK],
        sha256=picture.sha256,
        content=picture.content,
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as exc:
        raise AlreadyAttestedError from exc
    _record("acessos.atestados", row.ref, reviewer, f"{row.period}, sha256 {row.sha256}")
    return row


def exported(*, reader: Principal, ref: UUID, what: str, sha256: str) -> None:
    """The trail's row about a list that leaves the console; `ref` groups it with its review."""
    _record("acessos.exportados", ref, reader, f"{what}, sha256 {sha256}")


def reviews() -> list[AccessReview]:
    """The newest LISTED, newest first."""
    return list(AccessReview.objects.order_by("-pk")[:LISTED])


def review(*, ref: UUID) -> AccessReview:
    found = AccessReview.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def is_due(newest: AccessReview | None) -> bool:
    """Whether nobody has attested in this quarter."""
    return newest is None or newest.period != period_of(clock.now())


def period_of(at: dt.datetime) -> str:
    """The quarter of the page's zone: "2026-T4"."""
    day = localtime(at).date()
    return f"{day.year}-T{(day.month - 1) // 3 + 1}"


def _record(action: str, ref: UUID, by: Principal, words: str) -> None:
    trail.record_act(by, action, correlacao_id=ref, saida_resumo=words)
