"""Where the files of traces are: one folder a company, one a trace in it, nobody else's to open."""

from __future__ import annotations

import errno
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings

from audit.models import Trace

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def is_configured() -> bool:
    return bool(settings.OPSPILOT_EXPORT_DIR)


def of(trace: Trace) -> Path:
    return Path(settings.OPSPILOT_EXPORT_DIR) / str(trace.tenant_id) / str(trace.ref)


def package(trace: Trace) -> Path:
    """Named by its content: what a late worker leaves is another file, which nobody is given."""
    return of(trace) / f"{trace.sha256}.zip"


def fresh(trace: Trace) -> Path:
    """Where a package is made before its content is known."""
    return of(trace) / f"{uuid.uuid4().hex}.zip"


def part(trace: Trace, number: int, kind: str) -> Path:
    return of(trace) / f"parte-{number:06}.{kind}"


def make(trace: Trace) -> None:
    """The setting's folder must be there: one that is made by a slip of the pen is found by nobody."""
    root = Path(settings.OPSPILOT_EXPORT_DIR)
    if not root.is_dir():
        raise FileNotFoundError(errno.ENOENT, "the folder of exports is not there", str(root))
    for folder in (of(trace).parent, of(trace)):
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


def remove(trace: Trace) -> None:
    shutil.rmtree(of(trace), ignore_errors=True)


def remove_but_the_package(trace: Trace) -> None:
    for path in of(trace).iterdir():
        if path != package(trace):
            path.unlink(missing_ok=True)


def code_of(fault: OSError) -> str:
    return "disco_cheio" if fault.errno in _FULL else "pasta_sem_acesso"
