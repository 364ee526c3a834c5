"""`manage.py load_runbooks DIR --tenant T --collection C`: a folder through the upload door.

Every file ends published, the same as before, or refused with its reason; exit 0 says that all of
them ended, not that all were accepted.
"""

from __future__ import annotations

import json
import time
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grounding import ingest, uploads
from grounding.decoding import MAX_BYTES
from grounding.models import Upload
from grounding.uploads import File
from opspilot.tenancy.models import Tenant, tenant_id_of
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope

# The page's words, in the commands' language.
_WORDS = {"approved": "active", "same": "same as before", "rejected": "refused"}


class Command(BaseCommand):
    help = "Publish every file below a folder into a tenant's collection."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path)
        parser.add_argument("--tenant", required=True)
        parser.add_argument("--collection", required=True)
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        directory: Path = options["directory"]
        if not directory.is_dir():
            raise CommandError(f"not a folder: {directory}")
        started = time.monotonic()
        principal = _principal(options["tenant"])
        batch = _accept(principal, options["collection"], directory)
        rows = _until_done(principal, batch)
        for row in rows:
            if row.code:
                self.stdout.write(f"{row.name}: refused ({row.code})")
        summary = dict(Counter(row.state for row in rows))
        words = ", ".join(
            f"{count} {_WORDS.get(state, state)}" for state, count in sorted(summary.items())
        )
        self.stdout.write(f"{len(rows)} files: {words} in {time.monotonic() - started:.1f} s")
        if options["json"]:
            refused = {row.name: row.code for row in rows if row.code}
            self.stdout.write(
                json.dumps({"files": len(rows), "states": summary, "refused": refused})
            )


def _principal(slug: str) -> Principal:
    tenant_id = tenant_id_of(slug)
    with tenant_scope(tenant_id):
        tenant = Tenant.objects.filter(pk=tenant_id).first()
    if tenant is None:
        raise CommandError(f"no tenant {slug!r}")
    return Principal(tenant_id, tenant.name, 0, "load_runbooks", frozenset({Role.ADMIN}))


def _accept(principal: Principal, slug: str, directory: Path) -> uuid.UUID:
    paths = [path for path in sorted(directory.rglob("*")) if path.is_file()]
    if not paths:
        raise CommandError(f"no files below {directory}")
    with tenant_scope(principal.tenant_id):
        collection = uploads.collection(principal=principal, slug=slug)
        rows = uploads.accept(
            principal=principal,
            collection=collection,
            files=[_file(path, directory) for path in paths],
        )
        return rows[0].batch


def _until_done(principal: Principal, batch: uuid.UUID) -> list[Upload]:
    """Work beside the worker (or without one): the claims keep the two apart."""
    while True:
        with tenant_scope(principal.tenant_id):
            rows = list(Upload.objects.filter(batch=batch).defer("content").order_by("name"))
        open_rows = [row for row in rows if row.finished_at is None]
        if not open_rows:
            return rows
        for row in open_rows:
            ingest.advance(tenant_id=principal.tenant_id, upload_id=row.pk)
        time.sleep(0.2)


def _file(path: Path, directory: Path) -> File:
    size = path.stat().st_size
    name = path.relative_to(directory).as_posix()
    return File(name, size, None if size > MAX_BYTES else path.read_bytes())
