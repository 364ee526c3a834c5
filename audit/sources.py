"""A port: the trail keeps ids and spans of passages; whoever owns the text gives their titles.

The reader is named in settings, because the trail knows no other room.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from opspilot.presentation.shapes import Source

_NEEDED = {"trecho", "versao", "sha256", "inicio", "fim"}

Titles = Mapping[int, Source]


def titles(rows: Iterable[Sequence[Mapping[str, Any]]]) -> Titles:
    """The passages that the `fontes` of these rows name and that can still be read, by id."""
    passages = {
        item["trecho"]: item for sources in rows for item in sources if item.keys() >= _NEEDED
    }
    read = import_string(settings.OPSPILOT_EVIDENCE_READER)
    quotes = read(list(passages.values())) if passages else []
    return {
        chunk_id: Source(quote["title"], quote["url"], version=quote["version"], part=quote["part"])
        for chunk_id, quote in zip(passages, quotes, strict=True)
        if not quote.get("gone")
    }


def cited(sources: Iterable[Mapping[str, Any]], known: Titles) -> list[Source]:
    """Each passage once, in order, as far as its title is known."""
    ids = dict.fromkeys(item["trecho"] for item in sources if "trecho" in item)
    return [known[chunk_id] for chunk_id in ids if chunk_id in known]
