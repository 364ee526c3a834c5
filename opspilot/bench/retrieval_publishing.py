"""A folder's documents through the upload door of a company of their own, as `load_runbooks` does."""

from __future__ import annotations

import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from grounding.intake import loading
from grounding.intake.loading import Loading
from grounding.measuring import labelled
from grounding.measuring.asking import Corpus
from grounding.measuring.labelled import Folder
from grounding.models import Collection, Upload, Version
from grounding.retrieval import embedding
from opspilot.bench.retrieval_cache import KeepingEmbedder
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_tenant

COMPANY, COLLECTION = "medida", "avaliacao"
THREADS = 2


def publish(job: dict[str, Any]) -> dict[str, Any]:
    """Counts, seconds, and what each document of the database stands for."""
    folder = labelled.read(Path(job["data"]))
    tenant = create_tenant(slug=COMPANY, name=COMPANY)
    principal = Principal(tenant.pk, COMPANY, 0, "eval_retrieval", frozenset({Role.ADMIN}))
    with embedding.standing_in(keeper := keeping(job)), tempfile.TemporaryDirectory() as scratch:
        root, files = _files(job, folder, Path(scratch))
        started = time.perf_counter()
        rows = _loaded(Loading(principal, COLLECTION), root, files)
        seconds = time.perf_counter() - started
    return {
        "tenant": str(tenant.pk),
        "documents": len(files),
        "states": dict(Counter(row.state for row in rows)),
        "refused": {row.name: row.code for row in rows if row.code},
        "documents_s": round(len(files) / seconds, 2),
        "vectors_computed": keeper.computed,
        "vectors_kept": keeper.kept,
        "embedding_model": keeper.space,
        "names": _names(tenant.pk, rows, folder),
    }


def keeping(job: dict[str, Any]) -> KeepingEmbedder:
    return KeepingEmbedder(embedding.embedder(), Path(job["cache"]) if job["cache"] else None)


def corpus(published: dict[str, Any], folder: Folder) -> Corpus:
    tenant_id = UUID(published["tenant"])
    with tenant_scope(tenant_id):
        collections = list(Collection.objects.values_list("pk", flat=True))
    return Corpus(
        tenant_id=tenant_id,
        collections=collections,
        names={int(pk): names for pk, names in published["names"].items()},
        groups={passage.name: passage.group for passage in folder.passages},
    )


def _files(job: dict[str, Any], folder: Folder, scratch: Path) -> tuple[Path, list[Path]]:
    """The documents named, or the corpus as one file a passage."""
    if job["documents"]:
        root = Path(job["documents"])
        return root, labelled.documents_below(root)
    if not folder.passages:
        raise labelled.UnreadableFolderError(
            f"{labelled.CORPUS} is missing, and no folder of documents was named"
        )
    for number, passage in enumerate(folder.passages):
        (scratch / _file(number)).write_text(passage.text, encoding="utf-8")
    return scratch, [scratch / _file(number) for number in range(len(folder.passages))]


def _file(number: int) -> str:
    return f"passage-{number:06}.md"


def _loaded(mine: Loading, root: Path, files: Sequence[Path]) -> list[Upload]:
    loading.keep(mine, root, files)
    return loading.read_all(mine, threads=THREADS, watch=lambda _glance: None)


def _names(tenant_id: UUID, rows: Sequence[Upload], folder: Folder) -> dict[int, list[str]]:
    """A text that was there already stands under both names."""
    with tenant_scope(tenant_id):
        documents = dict(Version.objects.values_list("pk", "document_id"))
    original = {_file(number): passage.name for number, passage in enumerate(folder.passages)}
    found: dict[int, list[str]] = defaultdict(list)
    for row in rows:
        if row.version_id is not None:
            name = original.get(row.name, row.name) if folder.passages else row.name
            found[documents[row.version_id]].append(name)
    return found
