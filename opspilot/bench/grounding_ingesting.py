"""Real documents through the door, beside what the embedder alone takes for the same passages."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from grounding.intake import ingest, uploads
from grounding.models import Chunk, Upload, UploadState
from grounding.reading.analysis import stored
from grounding.retrieval.embedding import embed_passages
from opspilot.tenancy import selectors
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_tenant, grant_roles


def measure(documents: Path, *, files: int) -> dict[str, Any]:
    """Document by document, the one right after the other, so that both meet the same load."""
    admin = _admin()
    found = sorted(documents.glob("runbooks-*/files/**/*.md"))
    chosen = found[:: max(1, len(found) // files)][:files]
    embed_passages(["warm"], "en")
    ingesting = embedding = 0.0
    passages = 0
    for file in chosen:
        upload = _accepted(admin, file, file.relative_to(documents).as_posix())
        started = time.perf_counter()
        ingest.advance(tenant_id=admin.tenant_id, upload_id=upload.pk)
        ended = time.perf_counter()
        texts, language = _texts(upload)
        embed_passages(texts, stored(language))
        if texts:
            ingesting += ended - started
            embedding += time.perf_counter() - ended
            passages += len(texts)
    return {
        "ingest_vs_embedder": embedding / ingesting,
        "ingest_files": len(chosen),
        "ingest_passages": passages,
        "ingest_passages_s": passages / ingesting,
        "embedder_passages_s": passages / embedding,
    }


def _admin() -> Principal:
    tenant: Tenant = create_tenant(slug="medida-entrada", name="medida entrada")
    user = User.objects.create(username="bench-entrada", display_name="bench-entrada")
    grant_roles(tenant=tenant, user=user, roles=[Role.ADMIN])
    with tenant_scope(tenant.pk):
        found = selectors.principal(user)
    if found is None:
        raise AssertionError("the admin has no role")
    return found


def _accepted(admin: Principal, file: Path, name: str) -> Upload:
    content = file.read_bytes()
    with tenant_scope(admin.tenant_id):
        shelf = uploads.collection(principal=admin, slug="medida")
        sent = uploads.File(name, len(content), content)
        (row,) = uploads.accept(principal=admin, collection=shelf, files=[sent])
        return row


def _texts(upload: Upload) -> tuple[list[str], str]:
    """Of what was published; a copy or a refused file counts on neither side."""
    with tenant_scope(upload.tenant_id):
        row = Upload.objects.get(pk=upload.pk)
        if row.state != UploadState.APPROVED or row.version_id is None:
            return [], ""
        chunks = Chunk.objects.filter(version_id=row.version_id).select_related("version")
        return [chunk.searched for chunk in chunks], next(iter(chunks)).version.language
