"""A network with nothing in it but loopback, and the kernel's own count of what wanted out of it.

A packet that finds no way out is counted where it would have left. Linux alone.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
from contextlib import suppress
from pathlib import Path

_NEW_USERS, _NEW_NETWORK = 0x10000000, 0x40000000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1 | 0x40
_NOWHERE = ("192.0.2.1", 9)  # of the network that is kept for examples
_OWN = Path("/proc/self/net")


def enter() -> bool:
    """Leave the machine's network, for good, with every process that is started from now on. False
    where the system does not allow it: then nothing has changed."""
    user, group = os.geteuid(), os.getegid()
    if not _unshared(_NEW_NETWORK):
        if not _unshared(_NEW_USERS | _NEW_NETWORK):
            return False
        _stay_who_we_are(user, group)
    try:
        _raise_loopback()
        return _counts()
    except OSError:
        return False


def foreign_packets() -> int:
    """Packets that left by anything but loopback, or would have if there were a way."""
    left = sum(_sent_by(line) for line in _lines("dev")[2:])
    return left + _no_routes("snmp") + _no_routes("snmp6")


def _counts() -> bool:
    """One packet is sent on purpose: a count that does not move would prove nothing."""
    before = foreign_packets()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.sendto(b"x", _NOWHERE)
    return foreign_packets() == before + 1


def _unshared(what: int) -> bool:
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    return unshare is not None and unshare(what) == 0


def _stay_who_we_are(user: int, group: int) -> None:
    with suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = struct.pack("16sh", b"lo", 0)
        flags = struct.unpack("16sh", fcntl.ioctl(any_socket, _GET_FLAGS, asked)[:18])[1]
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh", b"lo", flags | _UP))


def _lines(name: str) -> list[str]:
    try:
        return (_OWN / name).read_text(encoding="ascii").splitlines()
    except FileNotFoundError:
        return []


def _sent_by(line: str) -> int:
    device, _, counts = line.partition(":")
    return 0 if device.strip() == "lo" else int(counts.split()[9])


def _no_routes(name: str) -> int:
    lines = _lines(name)
    if name == "snmp6":
        return sum(int(line.split()[1]) for line in lines if line.startswith("Ip6OutNoRoutes"))
    heads = [line.split() for line in lines if line.startswith("Ip:")]
    return int(dict(zip(heads[0], heads[1], strict=True))["OutNoRoutes"]) if heads else 0
