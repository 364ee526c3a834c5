"""Where letters and webhooks may go: an exact list, and never into a private network.

An entry of OPSPILOT_EGRESS_HTTP is a host, with a port and the beginning of a path where they are
to be narrower: `hooks.example.com`, `hooks.example.com:8443/opspilot`. It means https. The one
exception is loopback, for trying things out on one machine: `http://127.0.0.1:9000` allows that port and no other.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass

from opspilot.connectors.errors import NotAllowedError, NotSentError

MAX_URL = 500
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# A last label that starts with a letter: no way of writing an IP address does.
_NAME = rf"(?:{_LABEL}\.)+[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])?"
_LOOPBACK = r"127\.0\.0\.1|\[::1\]"
_PORT = r"(?::(?P<port>[1-9][0-9]{0,4}))?"
_PATH = r"(?P<path>/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?"
_QUERY = r"(?P<query>\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?"
_ENTRY = re.compile(
    rf"(?:(?:https://)?(?P<host>{_NAME})|http://(?P<loopback>{_LOOPBACK})){_PORT}{_PATH}"
)
_URL = re.compile(
    rf"(?:https://(?P<host>{_NAME})|http://(?P<loopback>{_LOOPBACK})){_PORT}{_PATH}{_QUERY}"
)
# What a server might read as another path than the one that was compared.
_CLIMBS = re.compile(r"(?:^|/)(?:\.|%2e){1,2}(?:/|$)|%2f|%5c|%25|//", re.IGNORECASE)
_BACKWARD = ipaddress.ip_network("192.88.99.0/24")  # once a relay into IPv6
_FORWARD = ipaddress.ip_network("2000::/3")
_TUNNEL = ipaddress.ip_network("2002::/16")  # an IPv4 address in disguise


@dataclass(frozen=True, slots=True)
class Place:
    """A host, its port and a path (of an entry: the beginning of one)."""

    host: str
    port: int
    path: str
    loopback: bool
    query: str = ""

    def covers(self, other: Place) -> bool:
        same = (self.host, self.port, self.loopback) == (other.host, other.port, other.loopback)
        inside = other.path == self.path or other.path.startswith(self.path.rstrip("/") + "/")
        return same and inside

    @property
    def scheme(self) -> str:
        return "http" if self.loopback else "https"

    @property
    def target(self) -> str:
        return self.path + self.query


def entry(text: str) -> Place:
    """An entry of the setting; ValueError for what is not one."""
    found = _ENTRY.fullmatch(text)
    if found is None or _CLIMBS.search(found["path"] or "/"):
        raise ValueError("not a host with an optional port and path")
    return _place(found)


def place(url: str, *, allowed: Sequence[str]) -> Place:
    """Where this address leads, if the list has it. Raises NotAllowedError.

    Nothing is mended: no user name, no fragment, no other way to write a host, no dot segments.
    """
    found = _URL.fullmatch(url) if len(url) <= MAX_URL else None
    if found is None or _CLIMBS.search(found["path"] or "/"):
        raise NotAllowedError("the address is not one a webhook may have")
    wanted = _place(found, query=found["query"] or "")
    if not any(entry(text).covers(wanted) for text in allowed):
        raise NotAllowedError("the egress list does not have this address")
    return wanted


def addresses(wanted: Place) -> list[str]:
    """The IP addresses to connect to, asked now and used as they are: a name that answers
    otherwise a moment later is not asked again.

    Raises NotAllowedError when any of them is not public, NotSentError when there is none.
    """
    if wanted.loopback:
        return [wanted.host.strip("[]")]
    try:
        found = socket.getaddrinfo(wanted.host, wanted.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as exc:
        raise NotSentError("the name could not be resolved") from exc
    unique = list(dict.fromkeys(str(item[4][0]) for item in found))
    if not all(is_public(address) for address in unique):
        raise NotAllowedError("the name leads into a private network")
    if not unique:
        raise NotSentError("the name has no address")
    return unique


def is_public(address: str) -> bool:
    """Whether this is an address of the public network, and no other one in disguise."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if found.is_multicast or not found.is_global:
        return False
    if isinstance(found, ipaddress.IPv4Address):
        return found not in _BACKWARD
    return found in _FORWARD and found not in _TUNNEL


def mail_is_allowed(recipient: str, *, domains: Sequence[str]) -> bool:
    """Whether letters may go to this address; an empty list narrows nothing."""
    domain = recipient.rpartition("@")[2].lower()
    return not domains or domain in {known.lower() for known in domains}


def _place(found: re.Match[str], *, query: str = "") -> Place:
    loopback = found["loopback"] is not None
    port = int(found["port"] or (80 if loopback else 443))
    if port > 65535:
        raise NotAllowedError("there is no such port")
    return Place(found["loopback"] or found["host"], port, found["path"] or "/", loopback, query)
