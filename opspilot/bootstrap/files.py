"""Files that survive a crash half way, and locks that do not survive their holder."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


def write_atomically(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Readers see the old content or the new, never a part; the mode holds from the first byte."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)


def read_json(path: Path) -> dict[str, Any]:
    """Empty when there is no such file or it is not a JSON object."""
    with suppress(FileNotFoundError, NotADirectoryError, json.JSONDecodeError):
        content = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(content, dict):
            return content
    return {}


def tail(path: Path, *, offset: int = 0, lines: int = 20) -> list[str]:
    if not path.exists():
        return []
    with path.open("rb") as stream:
        stream.seek(offset)
        return stream.read().decode("utf-8", "replace").splitlines()[-lines:]


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@contextmanager
def locked(path: Path, *, shared: bool = False) -> Iterator[None]:
    """Waits. The kernel frees the lock when its holder dies, however it dies."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def try_lock(path: Path, *, patience: float = 0.0) -> int | None:
    """A descriptor that holds the lock until it is closed; None when another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                os.close(descriptor)
                return None
            time.sleep(0.05)
        else:
            return descriptor


def is_locked(path: Path) -> bool:
    """Creates nothing and changes nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
