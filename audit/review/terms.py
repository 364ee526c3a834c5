"""A company's own words, masked by the database in every row written from now on."""

from __future__ import annotations

import re
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from audit import trail
from audit.masking import mask_whole
from audit.models import GuardTerm, TrailReview
from audit.models.guard import TERM_LENGTH
from audit.review import own_words
from audit.review.errors import TermError, TermGoneError, TermKnownError
from opspilot.errors import NotFoundError
from opspilot.presentation.normal_form import nfc
from opspilot.tenancy.principal import Principal

SHORTEST = 4
_PLAIN = re.compile(r"[^\W_](?:[\w ./-]*[^\W_])?")


def in_force() -> list[GuardTerm]:
    return list(GuardTerm.objects.filter(ended_at=None).order_by("term"))


def checked(text: str) -> str:
    """The term as it is compared; raises TermError."""
    term = " ".join(nfc(text).split())
    fits = SHORTEST <= len(term) <= TERM_LENGTH and _PLAIN.fullmatch(term)
    if not fits or not re.search(r"[^\W\d_]", term) or own_words.is_one(term):
        raise TermError
    if mask_whole(term) != term:  # the guard masks it already, and the list would keep it
        raise TermError
    return term


def add(*, person: Principal, review: TrailReview, text: str) -> GuardTerm:
    """Mask it from now on, wherever it stands as whole words. What is written already stays."""
    row = GuardTerm(
        tenant_id=person.tenant_id, term=checked(text), review=review, by=person.subject,
        by_name=person.name,
    )  # fmt: skip
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as exc:
        raise TermKnownError from exc
    _record("mascara.ampliada", person, row)
    return row


def end(*, person: Principal, ref: UUID) -> None:
    """Take it off the list: rows written later keep the word. Raises TermGoneError."""
    row = GuardTerm.objects.filter(ref=ref).first()
    if row is None:
        raise NotFoundError
    still = GuardTerm.objects.filter(pk=row.pk, ended_at=None)
    if not still.update(ended_at=Now(), ended_by=person.subject):
        raise TermGoneError
    _record("mascara.reduzida", person, row)


def _record(action: str, person: Principal, row: GuardTerm) -> None:
    """By its reference: the word itself is what must not stand there."""
    trail.record_act(person, action, saida_resumo=f"item {row.ref}")
