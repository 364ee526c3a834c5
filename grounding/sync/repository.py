"""A local Git repository, plain or bare, read by the system's own git. No network, no hook, and no
file of the working folder: only what is committed on the branch."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from grounding.intake.decoding import MAX_BYTES
from grounding.sync.errors import Code, UnreadableSourceError
from grounding.sync.reading import Entry, Look, bounded

WALL_SECONDS = 60.0
_BRANCH = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,118}[A-Za-z0-9])?")
_REGULAR = ("100644", "100755")
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


def _git(root: Path, *arguments: str, otherwise: Code = "git_falhou") -> bytes:
    """Its output. The folder's own git directory and no other: nothing above it is looked for."""
    program = shutil.which("git")
    if program is None:
        raise UnreadableSourceError("sem_git")
    plain = root / ".git"
    # A file named .git points at a directory elsewhere, which may be outside the root.
    directory = plain if plain.is_dir() and not plain.is_symlink() else root
    quiet = ("-c", "safe.directory=*", "-c", "core.fsmonitor=false", f"--git-dir={directory}")
    try:
        done = subprocess.run(
            [program, *quiet, *arguments],
            capture_output=True,
            timeout=WALL_SECONDS,
            cwd=root,
            env={"PATH": os.defpath, **_SILENT},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError, OSError) as exc:
        raise UnreadableSourceError(otherwise) from exc
    return done.stdout
