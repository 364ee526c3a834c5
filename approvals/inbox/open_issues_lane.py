"""Reads a project's open issues for the people who decide about it: in the worker, never in a page.

claim → read the remote with no transaction open → store. A failure keeps what was read before.
"""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now

from approvals.actions import ISSUE_CREATED
from approvals.models import AgenteAprovacao, OpenIssueList, State
from audit.masking import mask
from opspilot import telemetry
from opspilot.connectors import readers
from opspilot.connectors.errors import ConnectorError, RefusedByRemoteError, ThrottledError
from opspilot.connectors.guarded import guarded
from opspilot.connectors.issues import IssueLists, OpenIssues
from opspilot.tenancy import lease
from opspilot.tenancy.scope import tenant_scope

FRESH = dt.timedelta(minutes=5)  # how old a list may be before it is read again
PAGES = 3  # of 100 issues, newest first


def refresh(*, tenant_id: UUID, list_id: int, lists: IssueLists | None = None) -> None:
    """Read the list once, if it is due. Safe to call at any time, by anybody."""
    with tenant_scope(tenant_id):
        row, token = _claim(list_id)
    if row is None or token is None:
        return
    values = _read(tenant_id, lists or readers.issue_lists(), row.project)
    with tenant_scope(tenant_id):
        # A claim that took over in between has newer news: the token no longer fits.
        mine = OpenIssueList.objects.filter(pk=list_id, claim_token=token)
        mine.update(tried_at=Now(), **lease.RELEASED, **values)


def _claim(list_id: int) -> tuple[OpenIssueList | None, uuid.UUID | None]:
    due = OpenIssueList.objects.filter(
        lease.free(), Q(next_at__lte=Now(), wanted_until__gt=Now()), pk=list_id
    )
    row = due.first()
    if row is None:
        return None, None
    if not _still_wanted(row):
        OpenIssueList.objects.filter(pk=list_id).update(wanted_until=Now())
        return None, None
    return row, lease.take(due, seen=row.claim_token)


def _still_wanted(row: OpenIssueList) -> bool:
    """Everything about this project may have been decided before the deadline."""
    waiting = AgenteAprovacao.objects.filter(
        acao=ISSUE_CREATED, destino_hash=row.destino_hash, estado=State.PENDENTE
    )
    return waiting.exists()


def _read(tenant_id: UUID, lists: IssueLists, project: int) -> dict[str, Any]:
    """The columns to write, whatever the remote answered."""
    try:
        with telemetry.span("gitlab", kind="list"), guarded("gitlab", tenant_id=tenant_id):
            return _stored(lists.open_issues(project, pages=PAGES))
    except ThrottledError as exc:
        wait = max(FRESH, dt.timedelta(seconds=exc.retry_after))
        return {"outcome": "destino_ocupado", "next_at": Now() + wait}
    except RefusedByRemoteError:
        return {"outcome": "destino_sem_acesso", "next_at": Now() + FRESH}
    except ConnectorError:
        return {"outcome": "lista_indisponivel", "next_at": Now() + FRESH}


def _stored(found: OpenIssues) -> dict[str, Any]:
    return {
        # Somebody else's words: what the trail would not keep is not kept here either (I9).
        "issues": [asdict(issue) | {"title": mask(issue.title)} for issue in found.issues],
        "complete": found.complete,
        "outcome": "",
        "looked_at": Now(),
        "next_at": Now() + FRESH,
    }
