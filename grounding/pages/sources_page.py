"""What the page of sources shows: where each collection comes from, and how fresh it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grounding.access import readable
from grounding.models import SyncSource
from grounding.pages.source_forms import SourceForm
from grounding.sync import words
from opspilot.presentation.shapes import State
from opspilot.tenancy import clock, kept
from opspilot.tenancy.http import TenantRequest

TEMPLATE = "grounding/sources.html"


@dataclass(frozen=True, slots=True)
class Line:
    source: SyncSource
    state: State
    word: str
    told: str
    reason: str


def whole(request: TenantRequest, form: SourceForm | None = None) -> dict[str, Any]:
    mine = SyncSource.objects.filter(collection_id__in=readable.ids(request.principal))
    rows = mine.select_related("collection").defer("files").order_by("collection__name")
    return {
        "lines": [_line(row) for row in rows],
        "is_on": bool(settings.OPSPILOT_SYNC_ROOT),
        "off_words": words.reason("desligada"),
        "form": form or SourceForm(initial=kept.fields(request) or None),
    }


def _line(row: SyncSource) -> Line:
    state, word = _state(row)
    return Line(row, state, word, _told(row), words.reason(row.code) if row.code else "")


def _state(row: SyncSource) -> tuple[State, str]:
    if row.next_at is None:
        return "pending", _("desligada")
    if row.lease_until is not None and row.lease_until > clock.now():
        return "running", _("lendo")
    if row.code:
        return "failed", _("não lida")
    if row.good_at is None:
        return "pending", _("na fila")
    return "done", _("em dia")


def _told(row: SyncSource) -> str:
    """What the last good run counted."""
    if row.good_at is None:
        return _("Ainda não foi lida.")
    counted = row.counts
    parts = [
        (counted["files"], ngettext("%(n)s arquivo", "%(n)s arquivos", counted["files"])),
        (counted["sent"], ngettext("%(n)s enviado", "%(n)s enviados", counted["sent"])),
        (counted["removed"], ngettext("%(n)s saiu", "%(n)s saíram", counted["removed"])),
        (
            counted["links"],
            ngettext(
                "%(n)s atalho deixado de fora", "%(n)s atalhos deixados de fora", counted["links"]
            ),
        ),
        (
            counted["held"],
            ngettext("%(n)s apagado não volta", "%(n)s apagados não voltam", counted["held"]),
        ),
    ]
    shown = [text % {"n": n} for place, (n, text) in enumerate(parts) if n or place == 0]
    return ", ".join(shown)
