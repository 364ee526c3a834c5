"""What a search found, again from its receipt: nothing is searched a second time, and no second
receipt is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast
from uuid import UUID

from grounding.access.askers import Asker
from grounding.models import Receipt, Version
from grounding.retrieval import consult, search
from grounding.retrieval.consult import Grounded, Query
from grounding.retrieval.coverage import Coverage, Level
from grounding.retrieval.search import Source
from opspilot.tenancy.scope import tenant_scope


@dataclass(frozen=True, slots=True)
class Recalled:
    """`query` None: there was nothing to look in, and nothing was embedded."""

    query: Query | None
    grounded: Grounded


def recall(text: str, *, receipt: UUID, asker: Asker) -> Recalled | None:
    """The passages in the order in which they were found, as far as the asker may read them now and
    their version is in force. `text` is what was asked. None for a receipt of somebody else.

    The coverage is no better than the one kept: "baixa" at most where some of the passages are gone,
    "nenhuma" where all are.

    With no transaction open: the text is translated and embedded anew, as the answer needs it.
    Raises UnavailableError where the embedder does not answer.
    """
    with tenant_scope(asker.tenant_id):
        kept = Receipt.objects.filter(ref=receipt, asker=asker.subject).first()
    if kept is None:
        return None
    if not kept.collections:
        return Recalled(None, Grounded(sources=[], coverage=_coverage(kept, there=0), idf={}))
    query = consult.prepare(text, tenant_id=asker.tenant_id)
    with tenant_scope(asker.tenant_id):
        return Recalled(query, _grounded(query, kept, {one.id for one in asker.reads()}))


def _grounded(query: Query, kept: Receipt, mine: set[int]) -> Grounded:
    asked = sorted(mine & set(kept.collections))
    known = search.weights(terms=query.terms.terms, collections=asked)
    scores = _scores(kept)
    ranked = _readable(list(scores), mine)
    is_fact = query.terms.aim == "fact"
    return Grounded(
        sources=ranked if is_fact else consult.with_the_rest_of_the_best(ranked),
        coverage=_coverage(kept, there=len(ranked)),
        idf=dict(known.idf),
        ranked=ranked,
        scores=scores,
    )


def _scores(kept: Receipt) -> dict[int, float]:
    """Of what the search found; what was only read beside it has none."""
    return {item["trecho"]: item["pontos"] for item in kept.passages if item["pontos"] is not None}


def _coverage(kept: Receipt, *, there: int) -> Coverage:
    """As it was judged, as far as the passages it was judged on are there."""
    whole = Coverage(
        cast(Level, kept.coverage), kept.probability, tuple(kept.reasons), kept.calibration
    )
    if there == len(_scores(kept)) or whole.level == "nenhuma":
        return whole
    if not there:
        return Coverage("nenhuma", 0.0, ("nothing_found",), kept.calibration)
    return replace(whole, level="baixa")


def _readable(chunks: Sequence[int], collections: set[int]) -> list[Source]:
    """What of them would still be found: in force and in these collections, in their order."""
    found = search.sources(chunks)
    there = [found[i] for i in chunks if i in found and found[i].collection_id in collections]
    versions = {source.version_id for source in there}
    active = set(Version.objects.filter(pk__in=versions, active=True).values_list("pk", flat=True))
    return [source for source in there if source.version_id in active]
