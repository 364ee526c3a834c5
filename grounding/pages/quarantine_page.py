"""The quarantine as pages show it: the files that wait, and one with its findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from grounding.access import readable
from grounding.formats.extracted import Sign
from grounding.intake import batches, quarantine
from grounding.models import Upload, UploadState
from grounding.pages import quarantine_words, wording
from grounding.pages.forms import ReviewForm
from opspilot.presentation import formats
from opspilot.presentation.shapes import Fact
from opspilot.tenancy.principal import Principal

LIMIT = 200  # files of the list; the rest follows when these are decided


@dataclass(frozen=True, slots=True)
class Line:
    upload: Upload
    url: str
    signs: str


@dataclass(frozen=True, slots=True)
class Spot:
    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    title: str
    count: str
    why: str
    weight: str
    spots: list[Spot]


def listing(principal: Principal) -> dict[str, Any]:
    mine = readable.ids(principal)
    rows = list(quarantine.waiting(readable=mine)[:LIMIT])
    return {"lines": [_line(row) for row in rows]}


def one(principal: Principal, ref: UUID) -> Upload:
    """Raises NotFoundError, also for a file of a collection they may not read."""
    return quarantine.one(ref=ref, readable=readable.ids(principal))


def shown(upload: Upload) -> dict[str, Any]:
    waits = upload.state == UploadState.NEEDS_REVIEW
    initial = {"selo": upload.detail.get("seal", "")}
    return {
        "upload": upload,
        "facts": _facts(upload),
        "findings": [_finding(sign) for sign in quarantine.signs_of(upload)],
        "waits": waits,
        "release": ReviewForm(initial=initial, auto_id="liberar_%s"),
        "refuse": ReviewForm(initial=initial, auto_id="recusar_%s"),
    }


def _line(upload: Upload) -> Line:
    url = reverse("grounding:quarantined", args=[upload.ref])
    return Line(upload, url, wording.findings([sign.code for sign in quarantine.signs_of(upload)]))


def _facts(upload: Upload) -> list[Fact]:
    (row,) = batches.located([upload])
    drawn, word = wording.state(row)
    facts = [
        Fact(_("Estado"), word, state=drawn),
        Fact(_("Coleção"), upload.collection.name),
        Fact(_("Tamanho"), formats.size_text(upload.size, language=get_language() or "pt-br")),
        Fact(_("Enviado por"), upload.uploaded_by_name, at=upload.created_at),
    ]
    if upload.reviewed_by:
        facts.append(Fact(_("Decidido por"), upload.reviewed_by_name))
        facts.append(Fact(_("Motivo"), upload.review_reason))
    return facts


def _finding(sign: Sign) -> Finding:
    return Finding(
        wording.findings([sign.code]).capitalize(),
        quarantine_words.count(sign),
        quarantine_words.why(sign),
        quarantine_words.keeps_back(sign),
        [Spot(quarantine_words.place(found), found.text) for found in sign.places],
    )
