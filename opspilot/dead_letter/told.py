"""Given up of what leaves to be read elsewhere: notices and letters about accounts."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from opspilot.accounts import outbox
from opspilot.accounts.models import MailKind, MailState, OutgoingMail
from opspilot.dead_letter.errors import NotStoppedError
from opspilot.dead_letter.shapes import KEPT, Lane, Line, stopped
from opspilot.notices import again, presenters, recipients, selectors
from opspilot.notices.models import Kind, Notice, NoticeState
from opspilot.tenancy.models import Membership
from opspilot.tenancy.principal import Principal


def _notices() -> QuerySet[Notice]:
    """A destination's own test is not missed by anybody."""
    failed = Notice.objects.filter(state=NoticeState.FALHOU, settled_at__gt=Now() - KEPT)
    return failed.exclude(kind=Kind.TESTE).select_related("approval").order_by("-pk")


def _notice_lines(rows: Sequence[Notice], _admin: Principal) -> list[Line]:
    places = {recipients.name_of(one): one.name for one in selectors.destinations()} if rows else {}
    drawn = zip(rows, presenters.lines(rows, places), strict=True)
    return [
        Line(row.ref, f"{line.what} · {line.channel}", line.why, line.at, url=line.url)
        for row, line in drawn
    ]


def _notice_again(_admin: Principal, key: UUID) -> UUID:
    row = again.begin_again(ref=stopped(_notices(), key).ref)
    return row.approval.correlacao_id if row.approval else row.ref


def _letters() -> QuerySet[OutgoingMail]:
    """Of people of the company. A link to a new password is only sent to who asks for it now."""
    people = Membership.objects.values("user_id")
    failed = OutgoingMail.objects.filter(
        user_id__in=people, state=MailState.FAILED, settled_at__gt=Now() - KEPT
    )
    return failed.exclude(kind=MailKind.RESET).select_related("user").order_by("-pk")


def _letter_lines(rows: Sequence[OutgoingMail], _admin: Principal) -> list[Line]:
    """What happened to somebody's account is theirs: it is only said that a letter did not leave."""
    return [
        Line(
            key=_key(row),
            title=_("Carta sobre a conta de %(name)s") % {"name": row.user},
            why=_("o servidor de e-mail não a aceitou"),
            at=row.settled_at or row.created_at,
        )
        for row in rows
    ]


def _letter_again(_admin: Principal, key: UUID) -> UUID:
    row = next((row for row in _letters() if _key(row) == key), None)
    if row is None or not outbox.begin_again(mail_id=row.pk):
        raise NotStoppedError
    return key


def _key(row: OutgoingMail) -> UUID:
    """The table is everybody's: a number of it would say how many letters others get."""
    return UUID(hex=salted_hmac("opspilot.dead_letter", str(row.pk)).hexdigest()[:32])


NOTICES = Lane(
    slug="aviso",
    title=gettext_lazy("Avisos"),
    rule=gettext_lazy("Não saíram depois de oito tentativas em uma hora, ou o destino os recusou."),
    rows=_notices,
    lines=_notice_lines,
    again=_notice_again,
)
LETTERS = Lane(
    slug="carta",
    title=gettext_lazy("Cartas sobre contas"),
    rule=gettext_lazy("Não saíram depois de oito tentativas em uma hora, ou foram recusadas."),
    rows=_letters,
    lines=_letter_lines,
    again=_letter_again,
)
