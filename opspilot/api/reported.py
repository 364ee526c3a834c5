"""The keys of reported actions: one key of an agent is one row of the trail, for good."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection

from opspilot.api.models import ReportedAction
from opspilot.tenancy.scope import current_tenant_id

_LOCK = 0x0AC7  # of this module among the advisory locks


@dataclass(frozen=True, slots=True)
class Known:
    body_hash: str
    trail_row: int


@dataclass(frozen=True, slots=True)
class Made:
    key: str
    body_hash: str
    trail_row: int


def hold(agent_id: int) -> None:
    """Until the transaction ends, nobody else reports in this agent's name: what is new is then new
    when it is written, and two that come at once become one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, agent_id % 2**31])


def known(*, agent_id: int, keys: Iterable[str]) -> dict[str, Known]:
    """What became of these keys before, by key."""
    by_hash = {_hash(key): key for key in keys}
    rows = ReportedAction.objects.filter(agent_id=agent_id, key_hash__in=by_hash)
    return {by_hash[row.key_hash]: Known(row.body_hash, row.trail_row) for row in rows}


def keep(*, agent_id: int, made: Iterable[Made]) -> None:
    """In the transaction of the rows themselves."""
    tenant_id = current_tenant_id()
    ReportedAction.objects.bulk_create(
        ReportedAction(
            tenant_id=tenant_id,
            agent_id=agent_id,
            key_hash=_hash(one.key),
            body_hash=one.body_hash,
            trail_row=one.trail_row,
        )
        for one in made
    )


def body_hash(row: Any) -> str:
    """Of what was sent, keyed: there may be a document number in it."""
    said = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hmac.new(settings.OPSPILOT_HMAC_KEY.encode(), said.encode(), hashlib.sha256).hexdigest()


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
