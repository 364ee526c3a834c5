"""Where the files are that people take along: one folder a company, one a file in it, nobody else's
to open."""

from __future__ import annotations

import datetime as dt
import errno
import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from django.conf import settings

from opspilot.tenancy.lease import Beat

KEPT = dt.timedelta(hours=24)
"""How long a file may be taken along."""
_CHUNK = 1024 * 1024
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Asked(Protocol):
    """A row that a file was asked for by: a trace, an audit pack."""

    @property
    def tenant_id(self) -> uuid.UUID: ...

    @property
    def ref(self) -> uuid.UUID: ...

    @property
    def sha256(self) -> str: ...

    @property
    def expires_at(self) -> dt.datetime | None: ...


def is_configured() -> bool:
    return bool(settings.OPSPILOT_EXPORT_DIR)


def of(asked: Asked) -> Path:
    return Path(settings.OPSPILOT_EXPORT_DIR) / str(asked.tenant_id) / str(asked.ref)


def package(asked: Asked) -> Path:
    """Named by its content: what a late worker leaves is another file, which nobody is given."""
    return of(asked) / f"{asked.sha256}.zip"


def is_kept(asked: Asked, *, now: dt.datetime) -> bool:
    """Whether its file may still be taken along: by the database's clock, and on the disk."""
    return asked.expires_at is not None and now < asked.expires_at and package(asked).is_file()


def fresh(asked: Asked) -> Path:
    """Where a package is made before its content is known."""
    return of(asked) / f"{uuid.uuid4().hex}.zip"


def part(asked: Asked, number: int, kind: str) -> Path:
    return of(asked) / f"parte-{number:06}.{kind}"


def make(asked: Asked) -> None:
    """The setting's folder must be there: one that is made by a slip of the pen is found by nobody."""
    root = Path(settings.OPSPILOT_EXPORT_DIR)
    if not root.is_dir():
        raise FileNotFoundError(errno.ENOENT, "the folder of exports is not there", str(root))
    for folder in (of(asked).parent, of(asked)):
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """A file that is there whole or not at all: written beside its place, flushed, then renamed.
    Two workers, one of them late, never write into the same file."""
    beside = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def sha256(path: Path, beat: Beat) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_CHUNK):
            beat()
            digest.update(piece)
    return digest.hexdigest()


def remove(asked: Asked) -> None:
    shutil.rmtree(of(asked), ignore_errors=True)


def remove_but_the_package(asked: Asked) -> None:
    for path in of(asked).iterdir():
        if path != package(asked):
            path.unlink(missing_ok=True)


def code_of(fault: OSError) -> str:
    return "disco_cheio" if fault.errno in _FULL else "pasta_sem_acesso"
