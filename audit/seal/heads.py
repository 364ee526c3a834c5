"""Heads: the newest seal of each company, written down outside. With one of them, whoever deletes
the newest windows together with their seals is found too."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from audit.models import TrailKey, TrailSeal, TrailVerification
from audit.seal.statements import moment
from audit.seal.windows import Reason, State, Window
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import current_tenant_id

FORMAT = "opspilot-trail-heads/1"


class BadHeadsError(ValueError):
    """The file is not one that `verify_trail --export-heads` wrote."""


@dataclass(frozen=True, slots=True)
class Head:
    tenant: str
    slug: str
    number: int
    until: str
    hash: str


@dataclass(frozen=True, slots=True)
class Heads:
    """`keys`: public keys by fingerprint, believed because the file was kept where it is safe."""

    heads: Mapping[UUID, Head]
    keys: Mapping[str, str]


def at(number: int) -> Head | None:
    """The scope's seal of this number, the newest for who just checked up to it."""
    seal = TrailSeal.objects.filter(number=number).first()
    if seal is None:
        return None
    slug = Tenant.objects.values_list("slug", flat=True).get(pk=seal.tenant_id)
    return Head(str(current_tenant_id()), slug, seal.number, moment(seal.until_at), seal.hash)


def newest() -> Head | None:
    """None before the first seal."""
    number = TrailSeal.objects.order_by("-number").values_list("number", flat=True).first()
    return at(number) if number else None


def lost() -> Window | None:
    """The first head that a daily check of the scope's company saw and that is not there any more."""
    same = TrailSeal.objects.filter(number=OuterRef("head_number"), hash=OuterRef("head_hash"))
    seen = TrailVerification.objects.filter(head_number__isnull=False)
    one = seen.exclude(Exists(same)).order_by("pk").first()
    if one is None or one.head_number is None:
        return None
    now = TrailSeal.objects.filter(number=one.head_number).first()
    state = State.ALTERED if now else State.MISSING
    reason = Reason.HEAD_CHANGED if now else Reason.HEAD_GONE
    until = now.until_at if now else None
    return Window(one.head_number, None, until, 0, state, reason)


def public_keys() -> dict[str, str]:
    """The scope's keys as the database has them."""
    rows = TrailKey.objects.order_by("id")
    return {row.fingerprint: row.public_key for row in rows}


def document(heads: Iterable[Head], keys: Mapping[str, str]) -> str:
    found = {
        "format": FORMAT,
        "exported_at": moment(clock.now()),
        "keys": dict(keys),
        "heads": [asdict(head) for head in heads],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _head(*, tenant: str, slug: str, number: int, until: str, hash: str) -> Head:
    """Raises ValueError for what could not have been written."""
    dt.datetime.fromisoformat(until)
    return Head(str(UUID(tenant)), str(slug), int(number), until, str(hash))


def parse(text: str) -> Heads:
    """Raises BadHeadsError."""
    try:
        found: dict[str, Any] = json.loads(text)
        if found["format"] != FORMAT:
            raise BadHeadsError("not a heads file of this format")
        heads = [_head(**head) for head in found["heads"]]
        keys = {str(name): str(value) for name, value in found["keys"].items()}
        return Heads({UUID(head.tenant): head for head in heads}, keys)
    except (KeyError, TypeError, AttributeError, ValueError) as exc:
        raise BadHeadsError(str(exc)) from exc
