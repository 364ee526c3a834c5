"""Who is somebody else: read once for each trace, from the registry and the company's own people."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from django.db.models import Q

from audit.models import Entity
from audit.trace.masker import Masker, Own, plain
from audit.trace.phrases import Phrases
from opspilot.tenancy.models import Membership, MembershipChange, User


def masker(*, type_: str, ids: Collection[str]) -> Masker:
    """For the rows about these ids, which are all one customer's."""
    refs = [uuid.UUID(ref) for ref in ids]
    titles = Entity.objects.filter(type=type_, ref__in=refs).values_list("title", flat=True)
    others = Entity.objects.exclude(type=type_, ref__in=refs).exclude(title="")
    # Those that show a masked document are told by their form.
    named = others.exclude(Q(title__startswith="CPF *") | Q(title__startswith="CNPJ *"))
    return Masker(
        Own(frozenset(ids), frozenset(title for title in titles if title)),
        people=Phrases(_people()),
        others=Phrases(named.values_list("title", flat=True).iterator()),
    )


def registered(refs: Collection[str]) -> frozenset[str]:
    """Of these ids, without hyphens, the ones that are somebody's in the registry."""
    found = Entity.objects.filter(ref__in=[uuid.UUID(ref) for ref in refs])
    return frozenset(plain(ref) for ref in found.values_list("ref", flat=True))


def _people() -> set[str]:
    """By every name the company ever knew them, and by the name they log in with."""
    members = Membership.objects.values("user_id")
    names = MembershipChange.objects.values_list("name", flat=True).distinct()
    now = User.objects.filter(pk__in=members).values_list("display_name", "username")
    return {*names, *(name for pair in now for name in pair)}
