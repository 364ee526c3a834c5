"""The first half of a notice: an event is spread, once, to everybody it concerns.

The worker runs it when something is due. Nothing leaves here: a row for each recipient is written,
and the event's own row says that it was done. Both are in one transaction, and the database lets
only one of two workers write the event.
"""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from django.db import IntegrityError, transaction

from approvals.models import AgenteAprovacao
from opspilot.notices import events, recipients
from opspilot.notices.events import Event
from opspilot.notices.models import Notice, Telling, Urgency
from opspilot.notices.recipients import Recipient
from opspilot.notices.timing import plan
from opspilot.queue import wake
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope


def spread_due(*, tenant_id: UUID, approval_id: int) -> None:
    """Spread whatever of this proposal is due. Safe to call at any time, by anybody."""
    with tenant_scope(tenant_id):
        proposal, now = AgenteAprovacao.objects.get(pk=approval_id), clock.now()
        for event in events.due(proposal=proposal, now=now):
            _spread(proposal, event, now)


def _spread(proposal: AgenteAprovacao, event: Event, now: dt.datetime) -> None:
    try:
        with transaction.atomic():
            Telling.objects.create(
                tenant_id=proposal.tenant_id, approval=proposal, kind=event.kind, about=event.about
            )
    except IntegrityError:  # another worker was first
        return
    found = recipients.of(proposal=proposal, event=event)
    rows = [_notice(proposal, event, recipient, now) for recipient in found]
    # Who was told of one event of this kind already (a decision given to two roles) is not again.
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    wake("notice")


def _notice(
    proposal: AgenteAprovacao, event: Event, recipient: Recipient, now: dt.datetime
) -> Notice:
    urgency, at = Urgency.AGORA, now
    if recipient.gathers:
        urgency, at = plan(
            kind=event.kind, risk=proposal.risco, now=now, deadline=proposal.expira_em
        )
    return Notice(
        tenant_id=proposal.tenant_id,
        approval=proposal,
        kind=event.kind,
        recipient=recipient.name,
        urgency=urgency,
        next_at=at,
    )
