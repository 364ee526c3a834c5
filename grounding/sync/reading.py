"""What a source holds: names, a mark of each content, and the bytes of those that are asked for."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grounding.intake.decoding import MAX_BYTES
from grounding.sync.errors import UnreadableSourceError

MOST_FILES = 5_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One file. `mark` changes with its content; `load` gives its bytes, None when too large."""

    name: str
    mark: str
    size: int
    load: Callable[[], bytes | None]


@dataclass(slots=True)
class Look:
    """A source as it is now. `links` counts what was left out because it leads elsewhere; it is
    whole when the entries have been taken to their end."""

    revision: str
    entries: Iterator[Entry]
    links: int = 0


def folder(root: Path) -> Look:
    """Every file below, but for links and names that begin with a dot. Each is opened by its
    folder's own descriptor, so that a folder swapped for a link meanwhile leads nowhere."""
    look = Look("", iter(()))
    look.entries = bounded(_walk(root, look))
    return look


def bounded(entries: Iterator[Entry]) -> Iterator[Entry]:
    """Raises UnreadableSourceError at the first file too many."""
    for number, entry in enumerate(entries, 1):
        if number > MOST_FILES:
            raise UnreadableSourceError("arquivos_demais")
        yield entry


def _walk(root: Path, look: Look) -> Iterator[Entry]:
    for place, folders, names, descriptor in os.fwalk(root):
        hidden = [name for name in folders if name.startswith(".")]
        links = [name for name in folders if _is_link(name, descriptor)]
        look.links += len(links)
        folders[:] = sorted(set(folders) - {*hidden, *links})
        below = Path(place).relative_to(root)
        for name in sorted(names):
            if name.startswith("."):
                continue
            entry = _entry(below, name, descriptor)
            if entry is None:
                look.links += 1
            else:
                yield entry


def _is_link(name: str, descriptor: int) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode)


def _entry(below: Path, name: str, descriptor: int) -> Entry | None:
    """None for a link, a pipe, or a file that went away meanwhile."""
    try:
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=descriptor)
    except OSError:
        return None
    with os.fdopen(opened, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            return None
        content = None if facts.st_size > MAX_BYTES else file.read(MAX_BYTES + 1)
    # What the system holds in another encoding is shown with marks instead of failing.
    shown = os.fsencode((below / name).as_posix()).decode(errors="replace")
    mark = f"{facts.st_size}" if content is None else hashlib.sha256(content).hexdigest()
    return Entry(shown, mark, facts.st_size, lambda: content)
