"""Lending one's power to decide for an absence, and taking it back. Both are rows of the trail."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db import DatabaseError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from approvals.deciders.access_errors import (
    DelegationEndedError,
    InvalidDelegationError,
    NothingToLendError,
    NotLenderError,
)
from approvals.models import Delegation
from approvals.models.access import LONGEST
from audit import trail
from audit.vocabulary import Authorization, Result
from opspilot.tenancy import clock
from opspilot.tenancy import selectors as people
from opspilot.tenancy.principal import Principal, Role, signature
from opspilot.tenancy.roles import DECIDERS
from opspilot.tenancy.selectors import Member

MIN_REASON = 10
AHEAD = dt.timedelta(days=90)
LISTED = 100


def lendable(*, giver: Principal) -> frozenset[Role]:
    """The deciding roles this person holds themselves; what was lent to them is not among them."""
    return people.roles_now(user_id=giver.user_id) & frozenset(DECIDERS)


def receivers(*, giver: Principal) -> list[Member]:
    """Who may decide in this person's name: anybody else active, but for who audits deciders."""
    return [
        member
        for member in people.members_now()
        if member.subject != giver.subject and Role.AUDITOR not in member.roles
    ]


def give(
    *,
    giver: Principal,
    receiver: str,
    roles: Iterable[Role],
    starts_at: dt.datetime | None,
    ends_at: dt.datetime,
    reason: str,
) -> Delegation:
    """Let another person decide in one's name until `ends_at`; `starts_at` None = from now on.

    Raises NothingToLendError, or InvalidDelegationError naming the field.
    """
    wanted = frozenset(roles)
    if not wanted or not wanted <= lendable(giver=giver):
        raise NothingToLendError
    member = next((m for m in receivers(giver=giver) if m.subject == receiver), None)
    if member is None:
        raise _invalid("para", _("Escolha outra pessoa ativa que não seja auditor."))
    if len(reason.strip()) < MIN_REASON:
        raise _invalid("motivo", _("Escreva o motivo com pelo menos 10 caracteres."))
    now = clock.now()
    starts_at = starts_at or now
    _check_times(now, starts_at, ends_at)
    _check_new(giver, member, wanted, starts_at, ends_at)
    row = Delegation(
        tenant_id=giver.tenant_id,
        giver=giver.subject,
        giver_name=giver.name,
        receiver=member.subject,
        receiver_name=member.name,
        roles=sorted(str(role) for role in wanted),
        starts_at=starts_at,
        ends_at=ends_at,
        reason=reason.strip(),
    )
    _insert(row)
    _record("delegacao.concedida", row, giver)
    return row


def revoke(*, row: Delegation, by: Principal) -> None:
    """End it now. What was decided under it stands."""
    if row.giver != by.subject and Role.ADMIN not in people.roles_now(user_id=by.user_id):
        raise NotLenderError
    open_ = Delegation.objects.filter(pk=row.pk, revoked_at=None, ends_at__gt=Now())
    if not open_.update(revoked_at=Now(), revoked_by=by.signature):
        raise DelegationEndedError
    _record("delegacao.revogada", row, by)


def of_person(*, person: Principal) -> tuple[list[Delegation], list[Delegation]]:
    """What the person lent and what was lent to them, the newest LISTED of each."""
    given = Delegation.objects.filter(giver=person.subject).order_by("-pk")
    received = Delegation.objects.filter(receiver=person.subject).order_by("-pk")
    return list(given[:LISTED]), list(received[:LISTED])


def everybodys() -> list[Delegation]:
    """Those in force or still to come, the first to end first."""
    rows = Delegation.objects.filter(revoked_at=None, ends_at__gt=Now())
    return list(rows.order_by("ends_at", "pk")[:LISTED])


def _check_times(now: dt.datetime, starts_at: dt.datetime, ends_at: dt.datetime) -> None:
    if starts_at > now + AHEAD:
        raise _invalid("de", _("A delegação começa em até 90 dias."))
    if ends_at <= max(now, starts_at):
        raise _invalid("ate", _("O fim vem depois do começo e depois de agora."))
    if ends_at - starts_at > LONGEST:
        raise _invalid("ate", _("Uma delegação vale no máximo 30 dias."))


def _check_new(
    giver: Principal,
    member: Member,
    roles: frozenset[Role],
    starts_at: dt.datetime,
    ends_at: dt.datetime,
) -> None:
    """A second press of the button, or a delegation that adds nothing."""
    same = Delegation.objects.filter(
        giver=giver.subject,
        receiver=member.subject,
        roles__contains=[str(role) for role in roles],
        revoked_at=None,
        starts_at__lte=starts_at,
        ends_at__gte=ends_at,
    )
    if same.exists():
        raise _invalid("ate", _("Já existe uma delegação sua a esta pessoa por este tempo."))


def _insert(row: Delegation) -> None:
    """The database asks the same once more, of the rows as they are when it writes."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except DatabaseError as exc:
        if getattr(exc.__cause__, "sqlstate", "") != "OP001":
            raise
        raise InvalidDelegationError from exc


def _invalid(field: str, words: str) -> InvalidDelegationError:
    return InvalidDelegationError(words, fields=[field])


def _record(action: str, row: Delegation, by: Principal) -> None:
    to = signature(row.receiver_name, row.receiver)
    trail.record(
        trail.Entry(
            correlacao_id=row.ref,
            acao=action,
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=by.signature,
            saida_resumo=f"{signature(row.giver_name, row.giver)} → {to}: {', '.join(row.roles)}, "
            f"de {row.starts_at:%Y-%m-%d %H:%M} a {row.ends_at:%Y-%m-%d %H:%M} UTC",
        )
    )
