"""Renders stored evidence (chunk, version, sha, span) as the passage it points at."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from grounding.retrieval import search


def quotes(evidence: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One quote an entry. A passage that is gone, or is not the one cited, is a tombstone."""
    found = search.sources([item["trecho"] for item in evidence])
    return [_quote(item, found.get(item["trecho"])) for item in evidence]


def _quote(item: dict[str, Any], source: search.Source | None) -> dict[str, Any]:
    if source is None or _sha(source.text) != item["sha256"]:
        return {
            "text": "",
            "title": _("Trecho apagado"),
            "url": "",
            "version": None,
            "part": None,
            "gone": True,
        }
    start, end = item["inicio"] - source.start, item["fim"] - source.start
    return {
        "text": source.text[start:end],
        "title": source.title,
        "url": passage_url(source),
        "version": source.version_number,
        "part": source.ordinal + 1,
    }


def passage_url(source: search.Source, *, start: int | None = None, end: int | None = None) -> str:
    """Where a passage is read in its document; the version is part of the address for ever."""
    page = reverse("grounding:document", args=[source.document_ref])
    span = f"&de={start}&ate={end}" if start is not None else ""
    return f"{page}?versao={source.version_number}&trecho={source.ordinal + 1}{span}#trecho"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
