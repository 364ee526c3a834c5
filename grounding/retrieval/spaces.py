"""Which embedding space a company's questions are asked in, and how: a row says it, not the settings.

The settings say which space is wanted. While that one fills, questions stay in the old one.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from grounding.models import KnowledgeIndex, Search
from grounding.retrieval import embedding
from opspilot.connectors import readers
from opspilot.connectors.ports import Embedder


@dataclass(frozen=True, slots=True)
class Standing:
    space: str
    approximate: bool = False


def standing() -> Standing:
    """Of the company of the open scope; without a row yet, the configured space."""
    row = KnowledgeIndex.objects.values_list("space", "search").first()
    if row is None:
        return Standing(embedding.embedder().space)
    return Standing(row[0], row[1] == Search.APPROXIMATE)


def embedder_of(space: str) -> Embedder | None:
    """Who can embed in this space: the configured one, the bundled one, or the configured endpoint
    with the model that the space is named after. None when nobody can any more."""
    configured = embedding.embedder()
    if configured.space == space:
        return configured
    candidates = [readers.embedder("bundled")]
    if settings.OPSPILOT_EMBEDDINGS_URL and space.count("/") >= 4:
        candidates.append(embedding.of_endpoint(space.rsplit("/", 4)[0]))
    return next((one for one in candidates if one.space == space), None)


def writer(space: str) -> Embedder:
    """For what is published now: in the space that is asked, else in the one that is wanted."""
    return embedder_of(space) or embedding.embedder()
