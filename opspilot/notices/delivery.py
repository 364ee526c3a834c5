"""The second half of a notice: claimed, checked against what is true now, sent, settled.

Three short steps; nothing is held open while the mail server or a destination is spoken to. A
notice about something that no longer needs anybody is dropped instead of sent.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog
from django.db.models import F, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

from opspilot.api import callbacks
from opspilot.connectors import mail, webhooks
from opspilot.connectors.errors import (
    ConnectorError,
    NotAllowedError,
    NotSentError,
    RefusedByRemoteError,
)
from opspilot.notices import (
    bodies,
    destinations,
    events,
    letters,
    recipients,
    report_runs,
    seconds,
    signing,
)
from opspilot.notices.models import Format, Kind, Notice, NoticeState, Urgency
from opspilot.resilience import backoff
from opspilot.tenancy import clock, lease
from opspilot.tenancy.models import User
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
MAX_ATTEMPTS = 8
FIRST_WAIT, LONGEST_WAIT = 30.0, 3600.0  # seconds: eight tries take about an hour


@dataclass(frozen=True, slots=True)
class Parcel:
    """What leaves for one recipient. `by_mail`: a refusal is for good there, and only there."""

    notices: list[Notice]
    send: Callable[[], None]
    by_mail: bool


def advance(*, tenant_id: UUID, notice_id: int) -> None:
    """Send one notice, or the digest it belongs to, or put it off. Safe to call at any time."""
    with tenant_scope(tenant_id):
        held = _claim(notice_id)
        parcel = _parcel(held) if held else None
    if parcel is None:
        return
    try:
        parcel.send()
        failure = None
    except ConnectorError as exc:
        failure = exc
    with tenant_scope(tenant_id):
        _settle(parcel, failure)


def _claim(notice_id: int) -> list[Notice]:
    """The due notice, with the others of its digest. An update that finds a row taken meanwhile
    leaves it: two workers never hold the same one."""
    due = Notice.objects.filter(lease.free(), state=NoticeState.PENDENTE, next_at__lte=Now())
    row = due.filter(pk=notice_id).first()
    if row is None:
        return []
    gathered = row.urgency == Urgency.RESUMO
    wanted = due.filter(recipient=row.recipient, urgency=row.urgency) if gathered else due
    token = uuid.uuid4()
    (wanted if gathered else due.filter(pk=row.pk)).update(
        claim_token=token, lease_until=lease.until(), attempts=F("attempts") + 1
    )
    held = Notice.objects.filter(claim_token=token).select_related("approval").order_by("pk")
    return _alive(list(held))


def _alive(held: list[Notice]) -> list[Notice]:
    """Without those whose holder died at every try."""
    worn = [notice for notice in held if notice.attempts > MAX_ATTEMPTS]
    if worn:
        _end(worn, NoticeState.FALHOU, "interrompido")
    return [notice for notice in held if notice not in worn]


def _parcel(held: list[Notice]) -> Parcel | None:
    """What to send of what is held; the rest is dropped here."""
    name = held[0].recipient
    user, place = recipients.person(name), recipients.place(name)
    still = [notice for notice in held if _is_news(notice, user)]
    parcel = None
    if still and user is not None:
        parcel = _letter(still, user)
    elif still and place is not None and place.active:
        secrets = [signing.secret(place)]
        parcel = _webhook(still, place.url, secrets, place.format, bodies.page(still))
    elif still:
        parcel = _callback(still, name)
    kept = parcel.notices if parcel else []
    _end([notice for notice in held if notice not in kept], NoticeState.DESCARTADO, "")
    return parcel


def _is_news(notice: Notice, user: User | None) -> bool:
    """Whether it still needs to be said, to a person: to this one."""
    proposal, kind = notice.approval, Kind(notice.kind)
    if kind in seconds.KINDS:
        waiting = seconds.of(notice)
        return bool(waiting and user and seconds.may_give(user=user, waiting=waiting))
    if kind == Kind.RELATORIO:
        return bool(user and report_runs.is_news(notice, user))
    if proposal is None:
        return kind == Kind.TESTE
    if kind == Kind.RESULTADO and not events.is_unclear(proposal=proposal):
        return False
    if kind in events.WAITING and not events.waits(proposal=proposal, now=clock.now()):
        return False
    if user is None:
        return True
    able = kind not in events.WAITING or recipients.may_decide(user=user, proposal=proposal)
    return able and recipients.wants(user, kind)


def _letter(notices: list[Notice], user: User) -> Parcel:
    letter = letters.written(notices, user)
    return Parcel(notices, lambda: mail.send(letter), by_mail=True)


def _callback(notices: list[Notice], name: str) -> Parcel | None:
    agent = recipients.agent(name)
    if agent is None or not agent.active or not agent.callback_url:
        return None
    proposal = notices[0].approval
    secrets = callbacks.signing_secrets(agent=agent, at=clock.now())
    if proposal is None or not secrets:
        return None
    path = f"/api/v1/aprovacoes/{proposal.ref}"
    return _webhook(notices, agent.callback_url, secrets, Format.PADRAO, path)


def _webhook(
    notices: list[Notice], url: str, secrets: Sequence[str], format_: str, path: str
) -> Parcel:
    body = bodies.body(notices=notices, format_=format_, path=path)
    at, name = clock.now(), f"msg_{notices[0].ref.hex}"

    def send() -> None:
        webhooks.send(url=url, message_id=name, body=body, secrets=secrets, at=at)

    return Parcel(notices, send, by_mail=False)


def _settle(parcel: Parcel, failure: ConnectorError | None) -> None:
    if failure is None:
        _end(parcel.notices, NoticeState.ENVIADO, "")
        return
    outcome = _word(failure)
    gone = isinstance(failure, RefusedByRemoteError) and failure.status == webhooks.GONE
    if gone and not parcel.by_mail:
        destinations.switch_off_gone(name=parcel.notices[0].recipient)
    refused = isinstance(failure, RefusedByRemoteError) and parcel.by_mail
    if gone or refused or isinstance(failure, NotAllowedError):
        _end(parcel.notices, NoticeState.FALHOU, outcome)
    else:
        _put_off(parcel, outcome)


def _word(failure: ConnectorError) -> str:
    match failure:
        case NotAllowedError():
            return "nao_permitido"
        case RefusedByRemoteError():
            return f"recusado_{failure.status}"
        case NotSentError():
            return "sem_conexao"
        case _:
            return "sem_resposta"


def _put_off(parcel: Parcel, outcome: str) -> None:
    tries = max(notice.attempts for notice in parcel.notices)
    wait = backoff.exponential(tries, first=FIRST_WAIT, ceiling=LONGEST_WAIT)
    at = Now() + dt.timedelta(seconds=wait)
    if tries >= MAX_ATTEMPTS:
        _end(parcel.notices, NoticeState.FALHOU, outcome)
    else:
        _mine(parcel.notices).update(next_at=at, outcome=outcome, **lease.RELEASED)
    _hold_back(parcel, at)


def _hold_back(parcel: Parcel, at: CombinedExpression) -> None:
    """What else goes the same way waits too: each try at a silent place costs seconds, and other
    recipients stand behind. One mailbox that is put off says little about the others."""
    behind = Notice.objects.filter(lease.free(), state=NoticeState.PENDENTE, next_at__lte=Now())
    if parcel.by_mail:
        soon = Now() + dt.timedelta(seconds=FIRST_WAIT)
        behind.filter(recipient__startswith=recipients.PERSON).update(next_at=soon)
    else:
        behind.filter(recipient=parcel.notices[0].recipient).update(next_at=at)


def _end(notices: list[Notice], state: NoticeState, outcome: str) -> None:
    if not notices:
        return
    done = _mine(notices).update(state=state, outcome=outcome, settled_at=Now(), **lease.RELEASED)
    if done and state == NoticeState.FALHOU:
        numbers = [notice.pk for notice in notices]
        log.error("notices not delivered", notices=numbers, outcome=outcome)


def _mine(notices: list[Notice]) -> QuerySet[Notice, Notice]:
    """What this holder still holds: a late one changes nothing."""
    numbers = [notice.pk for notice in notices]
    return Notice.objects.filter(pk__in=numbers, claim_token=notices[0].claim_token)
