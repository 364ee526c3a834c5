"""A consult beside the bare SQL of its legs, and what the approximate index finds of the exact one's."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
from django.db import connection, connections

from grounding.models import Collection, Fusion, KnowledgeIndex, Search
from grounding.reading.analysis import QueryTerms, Question
from grounding.retrieval import consult, search
from grounding.retrieval.consult import Query
from grounding.upkeep import growing, standing
from opspilot.bench import grounding_fill as made
from opspilot.tenancy import lease
from opspilot.tenancy.scope import tenant_scope

T = TypeVar("T")
_TERMS = 10  # of a question
_WARM = 3
_DEPTH = 10
_QUESTIONS = 60


def legs_and_consult(*, number: int, chunks: int, rounds: int, client: int) -> dict[str, Any]:
    """In turns, so that both meet the same load. The vectors and the terms are given: neither counts
    the translation or the embedding."""
    tenant, size = made.tenant_id(number), made.sizes(chunks, 2)[number]
    asked = _questions(number, size, client)
    within = _collections(tenant)
    legs: list[float] = []
    hybrid: list[float] = []
    for turn in range(_WARM + rounds):
        query = asked[turn % len(asked)]
        bare, _ = _timed(_bare, tenant, query, within)
        whole, _ = _timed(_consult, tenant, query, within)
        if turn >= _WARM:
            legs.append(bare)
            hybrid.append(whole)
    one, other = statistics.median(legs), statistics.median(hybrid)
    return {"legs_ms": one, "hybrid_ms": other, "ratio": other / one}


def near(*, chunks: int) -> dict[str, Any]:
    """The largest company moves to its partition and gets its index; then the index is scanned too
    shallowly on purpose, to see that the nightly check turns it off."""
    tenant = made.tenant_id(0)
    row = _claimed(tenant)
    started = time.monotonic()
    with connections["maintenance"].cursor() as cursor:
        cursor.execute("SELECT part_vectors(%s)", [tenant])
        parted = time.monotonic()
        cursor.execute("SELECT build_vector_index(%s, %s)", [tenant, made.SPACE])
    built = time.monotonic()
    found = _recall(tenant, chunks)
    return found | {
        "part_s": parted - started,
        "build_index_s": built - parted,
        **_turned_off(row),
    }


def _recall(tenant: UUID, chunks: int) -> dict[str, Any]:
    """Half of the questions lie near a passage, half in no company's topic."""
    asked = [*made.questions(chunks, seed=0, wanted=_QUESTIONS // 2), *_nowhere(_QUESTIONS // 2)]
    within = _collections(tenant)
    hits, exact_ms, near_ms = list[float](), list[float](), list[float]()
    with tenant_scope(tenant):
        for vector in asked:
            given: dict[str, Any] = {
                "embedding": vector, "space": made.SPACE, "collections": within, "limit": _DEPTH,
            }  # fmt: skip
            took, exact = _timed(_ids, **given)
            exact_ms.append(took)
            took, found = _timed(_ids, **given, approximate=True)
            near_ms.append(took)
            hits.append(len(set(exact) & set(found)) / len(exact))
    return {
        "recall_hnsw": statistics.fmean(hits),
        "recall_hnsw_near": statistics.fmean(hits[: _QUESTIONS // 2]),
        "recall_hnsw_off_topic": statistics.fmean(hits[_QUESTIONS // 2 :]),
        "exact_ms": statistics.median(exact_ms),
        "hnsw_ms": statistics.median(near_ms),
    }


def _turned_off(row: KnowledgeIndex) -> dict[str, Any]:
    good, search.SCAN = search.SCAN, {"hnsw.iterative_scan": "off", "hnsw.ef_search": "1"}
    try:
        with tenant_scope(row.tenant_id):
            standing.write(row, search=Search.APPROXIMATE)
        growing.grow(row, 0)
    finally:
        search.SCAN = good
    return {"recall_degraded": row.recall, "turned_off_below_floor": row.search == "desligada"}


def _claimed(tenant: UUID) -> KnowledgeIndex:
    with tenant_scope(tenant):
        row = lease.claim(KnowledgeIndex.objects.filter(pk=standing.made().pk))
        assert row is not None
        standing.hold_for(row, growing.LONGEST)
        return row


def _questions(number: int, size: int, client: int) -> list[Query]:
    drawn = np.random.default_rng(client)
    return [_query(vector, drawn) for vector in made.questions(size, seed=number, wanted=8)]


def _query(vector: list[float], drawn: np.random.Generator) -> Query:
    words = tuple(dict.fromkeys(f"w{int(20 * 1000**place)}" for place in drawn.random(_TERMS)))
    asked = QueryTerms(language="en", own=words, english=words)
    return Query(Question(" ".join(words)), asked, vector, made.SPACE, Fusion.Z_SCORES)


def _nowhere(wanted: int) -> list[list[float]]:
    drawn = np.random.default_rng(11).standard_normal((wanted, 384))
    return [[float(x) for x in row / np.linalg.norm(row)] for row in drawn]


def _collections(tenant: UUID) -> list[int]:
    with tenant_scope(tenant):
        return list(Collection.objects.values_list("pk", flat=True))


def _ids(**given: Any) -> list[int]:
    return [one.chunk_id for one in search.vector(**given)]


def _bare(tenant: UUID, query: Query, within: list[int]) -> None:
    """What the legs send, and nothing made of it: the lexical one's two statements, and the vector's."""
    values: dict[str, Any] = {
        "tenant_id": tenant, "collections": within, "since": None, "until": None, "kind": "",
        "owner": "", "limit": 100, "terms": list(query.terms.terms), "space": query.space,
        "embedding": f"[{','.join(map(str, query.vector))}]",
    }  # fmt: skip
    with tenant_scope(tenant), connection.cursor() as cursor:
        cursor.execute(_sql("weights"), values)
        weights = cursor.fetchall()
        values |= {"idf": [row[1] for row in weights], "mean": weights[0][3]}
        for name in ("lexical", "vector"):
            cursor.execute(_sql(name), values)
            cursor.fetchall()


def _sql(name: str) -> str:
    return (search.FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def _consult(tenant: UUID, query: Query, within: list[int]) -> None:
    with tenant_scope(tenant):
        consult.consult(query=query, collections=within)


def _timed(act: Callable[..., T], *given: Any, **named: Any) -> tuple[float, T]:
    started = time.perf_counter()
    made = act(*given, **named)
    return (time.perf_counter() - started) * 1000, made
