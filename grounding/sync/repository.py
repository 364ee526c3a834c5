"""A local Git repository, plain or bare, read by the system's own git. No network, no hook, and no
file of the working folder: only what is committed on the branch."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path

from grounding.intake.decoding import MAX_BYTES
from grounding.sync.errors import Code, UnreadableSourceError
from grounding.sync.reading import Entry, Look, bounded

WALL_SECONDS = 60.0
_BRANCH = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,118}[A-Za-z0-9])?")
_REGULAR = ("100644", "100755")
# By these a repository has its objects or its branches from another place.
_BORROWED = ("commondir", "objects/info/alternates")
_OWN = ("HEAD", "config", "packed-refs", "objects", "refs")
_SILENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}


def is_branch(name: str) -> bool:
    return bool(_BRANCH.fullmatch(name)) and ".." not in name and "//" not in name


def look(root: Path, branch: str) -> Look:
    """The newest commit of the branch. Raises UnreadableSourceError."""
    if not is_branch(branch):
        raise UnreadableSourceError("sem_ramo")
    _refuse_borrowed(_directory(root))
    _git(root, "rev-parse", "--git-dir", otherwise="nao_e_repositorio")
    commit = _git(
        root, "rev-parse", "--verify", f"refs/heads/{branch}^{{commit}}", otherwise="sem_ramo"
    )
    found = Look(commit.decode().strip(), iter(()))
    found.entries = bounded(_entries(root, found))
    return found


def _entries(root: Path, found: Look) -> Iterator[Entry]:
    listed = _git(root, "ls-tree", "-r", "-z", "-l", "--full-tree", found.revision)
    for line in listed.split(b"\0"):
        if not line:
            continue
        facts, _tab, raw = line.partition(b"\t")
        mode, _kind, oid, size = facts.decode().split()
        name = raw.decode(errors="replace")
        if mode not in _REGULAR:
            found.links += 1
        elif not any(part.startswith(".") for part in name.split("/")):
            yield Entry(name, oid, int(size), partial(_blob, root, oid, int(size)))


def _blob(root: Path, oid: str, size: int) -> bytes | None:
    return None if size > MAX_BYTES else _git(root, "cat-file", "blob", oid)


def _directory(root: Path) -> Path:
    """A file named .git points at a directory elsewhere, which may be outside the root."""
    plain = root / ".git"
    return plain if plain.is_dir() and not plain.is_symlink() else root


def _refuse_borrowed(directory: Path) -> None:
    """Git itself follows links and pointers to anywhere, so another company's repository would be
    read as this one's."""
    if any(os.path.lexists(directory / name) for name in _BORROWED):
        raise UnreadableSourceError("fora_da_raiz")
    own = [directory / name for name in _OWN]
    inside = chain.from_iterable(place.rglob("*") for place in own if place.is_dir())
    if any(place.is_symlink() for place in chain(own, inside)):
        raise UnreadableSourceError("fora_da_raiz")


def _git(root: Path, *arguments: str, otherwise: Code = "git_falhou") -> bytes:
    """Its output. The folder's own git directory and no other: nothing above it is looked for."""
    program = shutil.which("git")
    if program is None:
        raise UnreadableSourceError("sem_git")
    quiet = ("-c", "safe.directory=*", "-c", "core.fsmonitor=false")
    try:
        process = subprocess.Popen(
            [program, *quiet, f"--git-dir={_directory(root)}", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            env={"PATH": os.defpath, **_SILENT},
            start_new_session=True,
        )
    except OSError as exc:
        raise UnreadableSourceError(otherwise) from exc
    with process:
        written = _bounded_output(process)
    if process.returncode:
        raise UnreadableSourceError(otherwise)
    return written


def _bounded_output(process: subprocess.Popen[bytes]) -> bytes:
    """A few trees that name one another many times are small, and endless when they are listed."""
    clock = threading.Timer(WALL_SECONDS, process.kill)
    clock.start()
    try:
        written = process.stdout.read(MAX_BYTES + 1) if process.stdout else b""
        if len(written) > MAX_BYTES:
            raise UnreadableSourceError("arquivos_demais")
        process.wait()
    finally:
        clock.cancel()
        process.kill()
    return written
