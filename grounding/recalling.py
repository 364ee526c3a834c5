"""What a search found, again from its receipt: nothing is searched a second time, and no second
receipt is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from grounding.access.askers import Asker
from grounding.models import Receipt
from grounding.retrieval import consult, search
from grounding.retrieval.consult import Grounded, Query
from grounding.retrieval.coverage import Coverage, Level
from grounding.retrieval.search import Source
from opspilot.tenancy.scope import tenant_scope


@dataclass(frozen=True, slots=True)
class Recalled:
    query: Query
    grounded: Grounded


def recall(text: str, *, receipt: UUID, asker: Asker) -> Recalled | None:
    """The passages in the order in which they were found, as far as the asker may read them now.
    `text` is what was asked. None for a receipt of somebody else, or of a search that had nothing
    to look in.

    With no transaction open: the text is translated and embedded anew, as the answer needs it.
    Raises UnavailableError where the embedder does not answer.
    """
    with tenant_scope(asker.tenant_id):
        kept = Receipt.objects.filter(ref=receipt, asker=asker.subject).first()
    if kept is None or not kept.collections:
        return None
    query = consult.prepare(text, tenant_id=asker.tenant_id)
    with tenant_scope(asker.tenant_id):
        return Recalled(query, _grounded(query, kept, {one.id for one in asker.reads()}))


def _grounded(query: Query, kept: Receipt, mine: set[int]) -> Grounded:
    asked = sorted(mine & set(kept.collections))
    known = search.weights(terms=query.terms.terms, collections=asked)
    scores = {
        item["trecho"]: item["pontos"] for item in kept.passages if item["pontos"] is not None
    }
    ranked = _readable(list(scores), mine)
    is_fact = query.terms.aim == "fact"
    return Grounded(
        sources=ranked if is_fact else consult.with_the_rest_of_the_best(ranked),
        coverage=Coverage(
            cast(Level, kept.coverage), kept.probability, tuple(kept.reasons), kept.calibration
        ),
        idf=dict(known.idf),
        ranked=ranked,
        scores=scores,
    )


def _readable(chunks: Sequence[int], collections: set[int]) -> list[Source]:
    """What of them is still there, and in these collections, in their order."""
    found = search.sources(chunks)
    return [found[i] for i in chunks if i in found and found[i].collection_id in collections]
