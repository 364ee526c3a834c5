"""A zip becomes its files: each a row of the same batch, with a fate of its own."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db.models.functions import Now

from grounding.errors import UnreadableFileError
from grounding.formats import reader_child, unpack_child
from grounding.intake import apart, extraction, holding, uploads
from grounding.intake.decoding import MAX_BYTES
from grounding.intake.uploads import File
from grounding.models import Upload, UploadState
from opspilot.queue import wake
from opspilot.tenancy import lease
from opspilot.tenancy.scope import tenant_scope

_PROGRAM = Path(unpack_child.__file__)


def unpack(upload: Upload) -> None:
    """All rows and the end of the zip's own in one transaction. Raises UnreadableFileError."""
    if upload.parent_id is not None:
        raise UnreadableFileError("nested_zip")
    with _taken_apart(bytes(upload.content or b"")) as files, tenant_scope(upload.tenant_id):
        holding.renew(upload)
        # One by one: a row that is made holds its file's bytes.
        refs = {uploads.accept_part(upload, file).pk for file in files}
        _finish(upload, len(refs))
        wake("upload")


@contextmanager
def _taken_apart(data: bytes) -> Iterator[Iterator[File]]:
    """The files of a zip, one at a time in memory."""
    with apart.folder() as place:
        ended = apart.run(_PROGRAM, [], data, most=reader_child.MAX_JSON, folder=place)
        listing = extraction.answer_of(ended)["files"]
        yield (_file(place / str(number), **entry) for number, entry in enumerate(listing))


def _file(place: Path, *, name: str, size: int, kept: bool) -> File:
    return File(name, size, bytes_of(place) if kept else None)


def bytes_of(place: Path) -> bytes:
    """The folder is the process's own: what it left there may be a link to what only we may read."""
    try:
        opened = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as exc:
        raise UnreadableFileError("damaged", "zip part") from exc
    with os.fdopen(opened, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
            raise UnreadableFileError("damaged", "zip part")
        return file.read(MAX_BYTES + 1)


def _finish(upload: Upload, count: int) -> None:
    written = holding.mine(upload).update(
        state=UploadState.UNPACKED,
        detail={"files": count},
        content=None,
        finished_at=Now(),
        **lease.RELEASED,
    )
    if not written:
        raise holding.LateIngestError(upload.pk)
