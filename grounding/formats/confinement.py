"""What a process that reads strangers' files gives up before it opens one. Linux, and what of it
other systems have."""

from __future__ import annotations

import ctypes
import os
import pwd
import resource
import signal
import sys
from contextlib import suppress
from typing import Any

CPU_SECONDS = 20
MEMORY = 512 * 1024 * 1024  # bytes of address space
FILE_SIZE = 32 * 1024 * 1024
OPEN_FILES = 64

_NEW_USERS, _NEW_NETWORK = 0x10000000, 0x40000000
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_REFUSED = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system", "pty.")


class ConfinedError(PermissionError):
    """A reader tried what no reader has to: open a connection or start a program."""


def confine() -> bool:
    """For good, and in this order: the network goes while the right to drop it is still held, and
    limits on processes bind nobody who is root. Whether the network is one of its own."""
    alone = _unshared(_NEW_NETWORK)
    # Two values, or the kernel kills without saying why.
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 2))
    for limit, value in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, FILE_SIZE),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    if os.geteuid() == 0:
        _become_nobody()
    alone = alone or _unshared(_NEW_USERS | _NEW_NETWORK)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    _control(_NO_NEW_PRIVILEGES, 1)
    _control(_DIE_WITH_PARENT, signal.SIGKILL)
    sys.addaudithook(_refuse)
    return alone


def nobody() -> tuple[int, int]:
    """(user, group) with no rights of its own."""
    with suppress(KeyError):
        found = pwd.getpwnam("nobody")
        return found.pw_uid, found.pw_gid
    return 65534, 65534


def _become_nobody() -> None:
    user, group = nobody()
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)


def _unshared(what: int) -> bool:
    """A network with nothing in it, where the system allows that: with the right to make one, or
    inside a list of users of its own."""
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    return unshare is not None and unshare(what) == 0


def _control(option: int, value: int) -> None:
    control = getattr(ctypes.CDLL(None), "prctl", None)
    if control is not None:
        control(option, ctypes.c_ulong(value), 0, 0, 0)


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    if event.startswith(_REFUSED):
        raise ConfinedError(event)
