"""A folder through the upload door: kept file by file, then read by several threads at once.

Whatever was kept stays kept: a loading that is stopped, or killed, is continued by the worker or by
the same loading again, which takes up the rows that are still open instead of adding others.
"""

from __future__ import annotations

import os
import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from django.db import connection
from django.db.models import Q, QuerySet

from grounding.intake import holding, ingest, uploads
from grounding.intake.decoding import MAX_BYTES
from grounding.intake.uploads import File
from grounding.models import Collection, Upload
from opspilot import request_id
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
GLANCE = 0.5  # seconds between two looks at the rows


@dataclass(slots=True)
class Loading:
    """What one run of the command is about: the rows it made or took up, and who reads which."""

    principal: Principal
    collection: str
    ids: list[int] = field(default_factory=list)
    unreadable: dict[str, str] = field(default_factory=dict)  # name → why the system gave no bytes
    current: str = ""
    stopping: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Glance:
    """How far a loading is. `postponed` files wait for an embedder that does not answer."""

    total: int
    ended: int
    postponed: int
    current: str


def keep(loading: Loading, root: Path, paths: Sequence[Path]) -> None:
    """Store every file, each as a row of one batch."""
    batch = uuid.uuid4()
    for files in uploads.groups(_read(loading, root, paths)):
        with tenant_scope(loading.principal.tenant_id):
            found = uploads.collection(principal=loading.principal, slug=loading.collection)
            loading.ids += [_kept(loading.principal, found, batch, file) for file in files]


def read_all(loading: Loading, *, threads: int, watch: Callable[[Glance], None]) -> list[Upload]:
    """Until every row has ended, beside a worker or without one: the claims keep them apart."""
    with ThreadPoolExecutor(threads) as pool:
        try:
            while left := _open_rows(loading):
                running = {pool.submit(_lane, loading, left) for _ in range(threads)}
                while running:
                    done, running = wait(running, timeout=GLANCE)
                    watch(glance(loading))
                    for future in done:
                        future.result()
                loading.stopping.wait(GLANCE)  # what is left is in other hands, or waits
        finally:
            loading.stopping.set()
    watch(glance(loading))
    return _rows(loading)


def _lane(loading: Loading, left: deque[tuple[int, str]]) -> None:
    """One thread, one connection, one try at each row that no other lane has taken."""
    try:
        while left and not loading.stopping.is_set():
            with suppress(IndexError):  # another lane was faster
                _advance(loading, *left.popleft())
    finally:
        connection.close()


def _advance(loading: Loading, row_id: int, name: str) -> None:
    loading.current = name
    try:
        with request_id.job(f"upload-{row_id}"):
            ingest.advance(tenant_id=loading.principal.tenant_id, upload_id=row_id)
    except holding.LateIngestError:
        log.info("another worker has taken the file over", upload=row_id)


def _read(loading: Loading, root: Path, paths: Sequence[Path]) -> Iterator[File]:
    for path in paths:
        # A name the system holds in another encoding is shown with marks instead of failing.
        name = os.fsencode(path.relative_to(root).as_posix()).decode(errors="replace")
        try:
            size = path.stat().st_size
            content = None if size > MAX_BYTES else path.read_bytes()
        except OSError as exc:
            loading.unreadable[name] = exc.strerror or type(exc).__name__
            continue
        yield File(name, size, content)


def _kept(principal: Principal, collection: Collection, batch: uuid.UUID, file: File) -> int:
    """The row of an earlier loading that is still on its way, or a new one."""
    name, sha256 = uploads.clean_name(file.name), uploads.sha256(file)
    same = Upload.objects.filter(
        collection=collection, name=name, sha256=sha256, state__in=holding.OPEN
    )
    if (known := same.values_list("pk", flat=True).first()) is not None:
        return known
    (row,) = uploads.accept(principal=principal, collection=collection, files=[file], batch=batch)
    return row.pk


def _mine(loading: Loading) -> QuerySet[Upload, Upload]:
    """Those that were kept, and those that came out of a zip among them."""
    kept = Q(pk__in=loading.ids) | Q(parent_id__in=loading.ids)
    return Upload.objects.filter(kept).order_by("pk")


def _rows(loading: Loading) -> list[Upload]:
    with tenant_scope(loading.principal.tenant_id):
        return list(_mine(loading).defer("content"))


def _open_rows(loading: Loading) -> deque[tuple[int, str]]:
    with tenant_scope(loading.principal.tenant_id):
        return deque(_mine(loading).filter(state__in=holding.OPEN).values_list("pk", "name"))


def glance(loading: Loading) -> Glance:
    with tenant_scope(loading.principal.tenant_id):
        ended = _mine(loading).exclude(state__in=holding.OPEN).count()
        postponed = _mine(loading).filter(holding.POSTPONED).count()
        total = _mine(loading).count()
    return Glance(total, ended, postponed, loading.current)
