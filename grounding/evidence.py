"""Renders stored evidence (chunk, version, sha, span) as the passage it points at."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from grounding.access import readable
from grounding.access.readable import Who
from grounding.life import standing
from grounding.pages import wording
from grounding.retrieval import search


def quotes(evidence: Sequence[dict[str, Any]], *, who: Who | None = None) -> list[dict[str, Any]]:
    """One quote an entry. A passage that is gone, or is not the one cited, is a tombstone; of one in
    a collection that `who` may not read now it is said that it is there. The trail asks for nobody.
    """
    mine = None if who is None else readable.ids(who)
    found = search.sources([item["trecho"] for item in evidence])
    late = standing.overdue(source.document_id for source in found.values())
    lost = [item["versao"] for item in evidence if item["trecho"] not in found]
    gone = standing.deletions(lost) if lost else {}
    return [
        _quote(item, found.get(item["trecho"]), late, mine) or _tombstone(gone.get(item["versao"]))
        for item in evidence
    ]


def runbooks(template: int, *, who: Who) -> list[dict[str, Any]]:
    """The documents an admin linked to this template of Semaphore, of those that `who` may read."""
    linked = standing.runbooks(template)
    mine = readable.ids(who) if linked else []
    return [_runbook(found) for found in linked if found.document.collection_id in mine]


def overdue_words(day: dt.date | None) -> str:
    """The warning beside what cites a document whose review date has passed; empty before."""
    if day is None:
        return ""
    return _("revisão vencida em %(day)s") % {"day": wording.date(day)}


def _runbook(found: standing.Runbook) -> dict[str, Any]:
    late = found.document.review_by if standing.is_overdue(found.document) else None
    return {
        "title": found.title,
        "url": reverse("grounding:document", args=[found.document.ref]),
        "version": found.version,
        "stale": overdue_words(late),
    }


def _tombstone(deleted: dt.datetime | None) -> dict[str, Any]:
    day = wording.date(timezone.localdate(deleted)) if deleted else ""
    title = _("Documento apagado em %(day)s") % {"day": day} if day else _("Trecho apagado")
    return _without_text(title) | {"gone": True}


def _without_text(title: str) -> dict[str, Any]:
    return {"text": "", "title": title, "url": "", "version": None, "part": None}


def _quote(
    item: dict[str, Any],
    source: search.Source | None,
    late: Mapping[int, dt.date],
    mine: Collection[int] | None,
) -> dict[str, Any] | None:
    """None for a passage that is gone or is not the one that was cited."""
    if source is None or _sha(source.text) != item["sha256"]:
        return None
    if mine is not None and source.collection_id not in mine:
        return _without_text(_("Trecho de uma coleção que você não lê"))
    start, end = item["inicio"] - source.start, item["fim"] - source.start
    return {
        "text": source.text[start:end],
        "title": source.title,
        "url": passage_url(source),
        "version": source.version_number,
        "part": source.ordinal + 1,
        "stale": overdue_words(late.get(source.document_id)),
    }


def passage_url(source: search.Source, *, start: int | None = None, end: int | None = None) -> str:
    """Where a passage is read in its document; the version is part of the address for ever."""
    page = reverse("grounding:document", args=[source.document_ref])
    span = f"&de={start}&ate={end}" if start is not None else ""
    return f"{page}?versao={source.version_number}&trecho={source.ordinal + 1}{span}#trecho"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
