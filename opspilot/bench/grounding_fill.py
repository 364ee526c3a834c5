"""Companies with passages, postings and seeded vectors, for the figures of `bench grounding`.

The first company holds `chunks` passages, the second 500, the others a few dozen each. Vectors lie in
clusters, as those of real texts do: drawn evenly they would all be equally far from each other.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import numpy as np
import numpy.typing as npt
from pgvector.psycopg import register_vector

from grounding.models import DIMENSIONS
from opspilot.bench.audit_superuser import Connection

SPACE = "medida/384"
SMALL = 500
_FEWEST, _MOST = 20, 60
_CLUSTER = 100  # vectors around one centre
_SPREAD = 0.6  # of the noise around a centre, whose length is 1
Matrix = npt.NDArray[np.float32]


def sizes(chunks: int, tenants: int) -> list[int]:
    """Of each company: the largest, the small one that is measured, and the many others."""
    drawn = np.random.default_rng(7).integers(_FEWEST, _MOST, max(0, tenants - 2))
    return [chunks, SMALL, *map(int, drawn)]


def tenant_id(number: int) -> UUID:
    """The same in every process."""
    return uuid.uuid5(uuid.NAMESPACE_OID, f"bench-grounding-{number}")


def fill(admin: Connection, *, chunks: int, tenants: int) -> int:
    """How many passages there are now."""
    found = sizes(chunks, tenants)
    register_vector(admin)
    admin.execute("SET session_replication_role = replica")
    admin.execute("SELECT setseed(0.5)")
    for number, size in enumerate(found):
        _company(admin, number, size)
    admin.execute("SET session_replication_role = origin")
    for table in ("document", "document_version", "chunk", "posting", "chunk_vector"):
        admin.execute(f"VACUUM (ANALYZE) {table}".encode())
    return sum(found)


def _company(admin: Connection, number: int, size: int) -> None:
    tenant = tenant_id(number)
    admin.execute(
        "INSERT INTO tenant (id, slug, name, created_at) VALUES (%s, %s, %s, now())",
        [tenant, f"medida-{number}", f"medida {number}"],
    )
    text = (Path(__file__).parent / "fill" / "passages.sql").read_text(encoding="utf-8")
    for statement in text.split(";\n"):
        if statement.strip():
            admin.execute(statement.encode(), {"tenant": tenant, "chunks": size, "space": SPACE})
    rows = admin.execute("SELECT id FROM chunk WHERE tenant_id = %s ORDER BY id", [tenant])
    _vectors(admin, tenant, [row[0] for row in rows], seed=number)


def _vectors(admin: Connection, tenant: UUID, ids: list[int], *, seed: int) -> None:
    line = "COPY chunk_vector (tenant_id, chunk_id, space, embedding) FROM STDIN (FORMAT BINARY)"
    with admin.cursor() as cursor, cursor.copy(line) as copy:
        copy.set_types(["uuid", "int8", "varchar", "vector"])
        for chunk, vector in zip(ids, vectors(len(ids), seed=seed), strict=True):
            copy.write_row((tenant, chunk, SPACE, vector))


def vectors(size: int, *, seed: int) -> Iterator[Matrix]:
    """Unit vectors, one a passage, neighbours in place being neighbours in meaning."""
    drawn = np.random.default_rng(seed)
    for first in range(0, size, _CLUSTER):
        centre = _unit(drawn.standard_normal((1, DIMENSIONS), dtype=np.float32))
        noise = drawn.standard_normal((min(_CLUSTER, size - first), DIMENSIONS), dtype=np.float32)
        yield from _unit(centre + _SPREAD * _unit(noise))


def questions(size: int, *, seed: int, wanted: int) -> Iterator[list[float]]:
    """Vectors near those of a company: half of what would be found lies in one cluster."""
    drawn = np.random.default_rng(seed + 1_000_003)
    chosen = set(map(int, drawn.integers(0, size, wanted)))
    for place, vector in enumerate(vectors(size, seed=seed)):
        if place in chosen:
            noise = _unit(drawn.standard_normal((1, DIMENSIONS), dtype=np.float32))
            yield [float(one) for one in _unit(vector[None, :] + _SPREAD * noise)[0]]


def _unit(rows: Matrix) -> Matrix:
    made: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return made
