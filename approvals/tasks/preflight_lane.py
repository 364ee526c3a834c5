"""Reads a template and its inventory for whoever is about to ask for a task: in the worker only.

claim → read the remote with no transaction open → store. A failure keeps what was read before.
"""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from approvals.models import TemplatePreflight
from approvals.tasks import preflights, task_survey
from opspilot import telemetry
from opspilot.connectors import readers
from opspilot.connectors.errors import ConnectorError, RefusedByRemoteError, ThrottledError
from opspilot.connectors.guarded import guarded
from opspilot.connectors.tasks import RemoteTemplate, TaskReader
from opspilot.tenancy import lease
from opspilot.tenancy.scope import tenant_scope

RETRY = dt.timedelta(seconds=10)
MOST_HOSTS = 5_000  # names of an inventory that are kept


def refresh(*, tenant_id: UUID, preflight_id: int, reader: TaskReader | None = None) -> None:
    """Read the template once, if it is due. Safe to call at any time, by anybody."""
    with tenant_scope(tenant_id):
        row, token = _claim(preflight_id)
    if row is None or token is None:
        return
    values = _read(tenant_id, reader or readers.task_reader(), row)
    with tenant_scope(tenant_id):
        # A claim that took over in between has newer news: the token no longer fits.
        mine = TemplatePreflight.objects.filter(pk=preflight_id, claim_token=token)
        mine.update(tried_at=Now(), **lease.RELEASED, **values)


def _claim(preflight_id: int) -> tuple[TemplatePreflight | None, uuid.UUID | None]:
    due = TemplatePreflight.objects.filter(
        lease.free(), pk=preflight_id, next_at__lte=Now(), wanted_until__gt=Now()
    )
    row = due.first()
    return (row, lease.take(due, seen=row.claim_token)) if row else (None, None)


def _read(tenant_id: UUID, reader: TaskReader, row: TemplatePreflight) -> dict[str, Any]:
    """The columns to write, whatever the remote answered."""
    try:
        with (
            telemetry.span("semaphore", kind="preflight"),
            guarded("semaphore", tenant_id=tenant_id),
        ):
            found = reader.template(row.project, row.template)
            hosts = reader.hosts(row.project, found.inventory_id)
    except ThrottledError as exc:
        wait = max(RETRY, dt.timedelta(seconds=exc.retry_after))
        return {"outcome": "destino_ocupado", "next_at": Now() + wait}
    except RefusedByRemoteError:
        return {"outcome": "destino_sem_acesso", "next_at": Now() + preflights.AGAIN}
    except ConnectorError:
        return {"outcome": "destino_indisponivel", "next_at": Now() + RETRY}
    return _stored(found, hosts)


def _stored(found: RemoteTemplate, hosts: frozenset[str] | None) -> dict[str, Any]:
    names = None if hosts is None or len(hosts) > MOST_HOSTS else sorted(hosts)
    return {
        "name": found.name[:200],
        "playbook": found.playbook[:300],
        "fingerprint": found.fingerprint,
        "faults": list(found.faults),
        "survey": [task_survey.stored(field) for field in found.survey],
        "hosts": names,
        "outcome": "",
        "looked_at": Now(),
        "next_at": Now() + preflights.AGAIN,
    }
