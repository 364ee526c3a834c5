"""The first half of a notice: an event is spread, once, to everybody it concerns.

The worker runs it when something is due. Nothing leaves here: a row for each recipient is written,
and the event's own row says that it was done. Both are in one transaction, and the database lets
only one of two workers write the event. What is due together is spread together: a flood of
decisions asks who is who once, and wakes the letters once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from uuid import UUID

from django.db import connection

from approvals.models import AgenteAprovacao
from opspilot.notices import events, recipients
from opspilot.notices.events import Event
from opspilot.notices.models import Notice, Urgency
from opspilot.notices.recipients import Known, Recipient
from opspilot.notices.timing import plan
from opspilot.queue import wake
from opspilot.tenancy import clock
from opspilot.tenancy.scope import current_tenant_id, tenant_scope

# In one order, whoever writes: two workers that spread the same ones wait, and never for each other.
_TELL = """
INSERT INTO notice_telling (tenant_id, approval_id, kind, about)
SELECT %s, told.* FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS told (approval, kind, about)
 ORDER BY told.approval, told.kind, told.about
ON CONFLICT DO NOTHING RETURNING approval_id, kind, about
"""
_Told = tuple[AgenteAprovacao, Event]


def spread_due(*, tenant_id: UUID, approval_id: int) -> None:
    """Spread whatever of this proposal is due. Safe to call at any time, by anybody."""
    spread_all(tenant_id=tenant_id, approval_ids=[approval_id])


def spread_all(*, tenant_id: UUID, approval_ids: Sequence[int]) -> None:
    """The same of many in one transaction: all of them, or none where one cannot be."""
    with tenant_scope(tenant_id):
        rows = AgenteAprovacao.objects.filter(pk__in=approval_ids).order_by("pk")
        proposals, now = list(rows.defer("proposta", "evidencia", "justificativa")), clock.now()
        _spread(events.due(proposals=proposals, now=now), now)


def _spread(due: Sequence[_Told], now: dt.datetime) -> None:
    known = Known()
    rows = [
        _notice(proposal, event, recipient, now)
        for proposal, event in _first_told(due)
        for recipient in recipients.of(proposal=proposal, event=event, known=known)
    ]
    if rows:
        # Who was told of one event of this kind already (a decision given to two roles) is not again.
        Notice.objects.bulk_create(rows, ignore_conflicts=True)
        wake("notice")


def _first_told(due: Sequence[_Told]) -> list[_Told]:
    """Of these, those that no other worker has told of: the database lets one of two write each."""
    if not due:
        return []
    columns = zip(*((proposal.pk, event.kind, event.about) for proposal, event in due), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_TELL, [current_tenant_id(), *(list(column) for column in columns)])
        written = set(cursor.fetchall())
    return [told for told in due if (told[0].pk, told[1].kind, told[1].about) in written]


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
