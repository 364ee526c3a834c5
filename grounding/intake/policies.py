"""How each collection is cut: the newest policy, or the standard one where nobody chose."""

from __future__ import annotations

from collections.abc import Mapping

from grounding.models import ChunkingPolicy
from grounding.reading.chunking import STANDARD, Policy


def in_force(collection_id: int) -> Policy:
    rows = ChunkingPolicy.objects.filter(collection_id=collection_id).order_by("-number")
    row = rows.first()
    return STANDARD if row is None else Policy(row.limit, row.overlap)


def of_all() -> Mapping[int, Policy]:
    """The newest of each collection that has one."""
    rows = ChunkingPolicy.objects.order_by("number")
    return {row.collection_id: Policy(row.limit, row.overlap) for row in rows}
