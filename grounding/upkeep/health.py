"""What is measured of a company's index every night, and shown to its admins."""

from __future__ import annotations

from typing import Any

from grounding.models import KnowledgeIndex
from grounding.reading import likeness
from grounding.reading.analysis import terms
from grounding.reading.likeness import Passage
from grounding.retrieval import search
from grounding.retrieval.fusion import Scored
from grounding.upkeep import recutting, standing
from opspilot.tenancy.scope import tenant_scope

_COMPARED = 5_000  # passages, the newest
_SHOWN = 10
_DELETIONS = 20


def measure(row: KnowledgeIndex) -> dict[str, Any]:
    """Everything in one look at the company, but the comparison of texts, which reads no more."""
    with tenant_scope(row.tenant_id):
        kept = [space for space in (row.space, row.target, row.previous) if space]
        orphans, unseen, stranded, textless = standing.rows("strays", space=row.space, kept=kept)[0]
        found = {
            "orphans": orphans,
            "unseen": unseen,
            "stranded": stranded,
            "textless": textless,
            "chunkers": [list(line) for line in standing.rows("chunkers")],
            "drifted": len(recutting.drifted(limit=1_000)),
            "deletions": _deletions(),
        }
        texts = standing.rows("texts", limit=_COMPARED)
    return found | _alike(texts)


def _deletions() -> dict[str, Any]:
    """Proved by search: nothing of the documents deleted last is there, or found by its own name."""
    deleted = standing.rows("deleted", limit=_DELETIONS)
    gone = {document for document, _name, _left in deleted}
    still = sorted(name for _document, name, left in deleted if left)
    found = {
        name for _document, name, _left in deleted
        if gone & {one.document_id for one in _search(name)}
    }  # fmt: skip
    return {"asked": len(deleted), "left": sorted({*still, *found})}


def _search(name: str) -> list[Scored]:
    words = terms(name, languages=("pt", "en"))
    return search.lexical(terms=words, collections=standing.everywhere()) if words else []


def _alike(texts: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Pairs of documents by id: who may read their names is asked when the page is drawn."""
    pairs = likeness.pairs(Passage(*row) for row in texts)
    documents = sorted({(a.document, b.document) for a, b in pairs})
    return {
        "alike": len(documents),
        "alike_pairs": [list(pair) for pair in documents[:_SHOWN]],
        "compared": len(texts),
    }
