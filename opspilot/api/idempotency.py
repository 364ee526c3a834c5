"""`Idempotency-Key`: the same POST sent twice is done once and answered twice (24 hours, per agent).

Claim, act and settle. What was done and its answer are stored in one transaction, so a key without
an answer did nothing; a request that died holds its key until the lease ends. A refusal gives the
key back: it changed nothing. Keys and requests are kept as hashes only.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import uuid
from dataclasses import dataclass

from django.db import IntegrityError, connection, transaction
from django.http import HttpRequest, HttpResponse

from opspilot.api.entry import Visitor
from opspilot.api.errors import (
    InvalidKeyError,
    KeyInFlightError,
    KeyReusedError,
    LateRequestError,
)
from opspilot.api.models import IdempotencyKey
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope

KEPT = dt.timedelta(hours=24)
LEASE = dt.timedelta(seconds=60)  # longer than any request takes
HEADER = "Idempotency-Key"
_KEY = re.compile(r"[!-~]{1,200}")


@dataclass(frozen=True, slots=True)
class Claim:
    """This request's right to be the one that acts."""

    visitor: Visitor
    row_id: int
    token: uuid.UUID


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered the first time."""

    status: int
    body: str
    location: str


def claim(*, visitor: Visitor, key: str, request: HttpRequest) -> Claim | Answer:
    """The right to act, or the answer already given.

    Raises InvalidKeyError, KeyReusedError or KeyInFlightError. Opens a transaction of its own.
    """
    if not _KEY.fullmatch(key):
        raise InvalidKeyError
    now, wanted = clock.now(), _request_hash(visitor, request)
    with tenant_scope(visitor.principal.tenant_id):
        _forget_old(visitor, now)
        return _insert(visitor, _hash(key), wanted, now) or _known(visitor, _hash(key), wanted, now)


def settle(made: Claim, response: HttpResponse) -> None:
    """Keep the answer, in the transaction of what was done.

    Raises LateRequestError when the lease ended and another request took the key: the caller's
    transaction must then roll back.
    """
    kept = IdempotencyKey.objects.filter(pk=made.row_id, claim=made.token, status=None).update(
        status=response.status_code,
        body=response.content.decode(),
        location=response.get("Location", ""),
        expires_at=clock.now() + KEPT,
    )
    if not kept:
        raise LateRequestError


def release(made: Claim) -> None:
    """Give the key back: nothing was done. Opens a transaction of its own."""
    with tenant_scope(made.visitor.principal.tenant_id):
        mine = IdempotencyKey.objects.filter(pk=made.row_id, claim=made.token, status=None)
        mine.delete()


def forget_over() -> None:
    """Of every company, also of agents that are switched off and come no more."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM tenants_with_old_keys()")
        found = [row[0] for row in cursor.fetchall()]
    for tenant_id in found:
        with tenant_scope(tenant_id):
            IdempotencyKey.objects.filter(expires_at__lte=clock.now()).delete()


def _insert(visitor: Visitor, key: str, wanted: str, now: dt.datetime) -> Claim | None:
    row = IdempotencyKey(
        tenant_id=visitor.principal.tenant_id,
        agent_id=visitor.agent_id,
        key_hash=key,
        request_hash=wanted,
        claim=uuid.uuid4(),
        lease_until=now + LEASE,
        expires_at=now + KEPT,
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return None
    return Claim(visitor, row.pk, row.claim)


def _known(visitor: Visitor, key: str, wanted: str, now: dt.datetime) -> Claim | Answer:
    row = IdempotencyKey.objects.filter(agent_id=visitor.agent_id, key_hash=key).first()
    if row is None:  # released between the two looks
        raise KeyInFlightError
    if row.request_hash != wanted:
        raise KeyReusedError
    if row.status is not None:
        return Answer(row.status, row.body, row.location)
    mine = uuid.uuid4()
    dead = IdempotencyKey.objects.filter(pk=row.pk, status=None, lease_until__lte=now)
    if not dead.update(claim=mine, lease_until=now + LEASE):
        raise KeyInFlightError
    return Claim(visitor, row.pk, mine)


def _forget_old(visitor: Visitor, now: dt.datetime) -> None:
    """An agent's keys go when it comes with the next one; of one that does not, once a day."""
    IdempotencyKey.objects.filter(agent_id=visitor.agent_id, expires_at__lte=now).delete()


def _request_hash(visitor: Visitor, request: HttpRequest) -> str:
    """What the token opens is part of it: an answer is not given again to one that opens less."""
    opens = " ".join(sorted(visitor.principal.scopes))
    said = f"{opens}\n{request.method} {request.get_full_path()}\n".encode() + request.body
    return hashlib.sha256(said).hexdigest()


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
