"""Where requests and letters may go: an exact list, and into no private network that is not listed.

An entry of OPSPILOT_EGRESS_HTTP is a host, with a port and the beginning of a path where they are
to be narrower: `hooks.example.com`, `hooks.example.com:8443/opspilot`. It means https. The one
exception is loopback, for trying things out on one machine: `http://127.0.0.1:9000` allows that port and no other.

A connector's own address (GitLab's, say) is a list of one: that scheme, host, port and beginning of
a path. Whoever runs the console wrote it, so it may be plain http, and OPSPILOT_EGRESS_PRIVATE can
let it lead into a private network; a webhook never does.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from opspilot.connectors.errors import NotAllowedError

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
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


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


@dataclass(frozen=True, slots=True)
class Base:
    """A connector's own address: everything it asks for lies in here."""

    scheme: str
    host: str
    port: int
    path: str

    def covers(self, scheme: str, host: str, port: int | None, path: str) -> bool:
        same = (scheme, host, port or _port(scheme)) == (self.scheme, self.host, self.port)
        return same and path.startswith(self.path + "/") and not _CLIMBS.search(path)


def base(url: str) -> Base:
    """ValueError for what is not a plain address: no user name, query or fragment, host as DNS has it."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    plain = parts.scheme in ("http", "https") and not (parts.query or parts.fragment)
    known = _HOST.fullmatch(host) or _address(host) is not None
    if not (plain and known) or "@" in parts.netloc or _CLIMBS.search(parts.path):
        raise ValueError("not an address with http or https, a host, and at most a port and a path")
    port = parts.port or _port(parts.scheme)
    return Base(parts.scheme, host, port, parts.path.rstrip("/"))


@dataclass(frozen=True, slots=True)
class Private:
    """What OPSPILOT_EGRESS_PRIVATE lists, read."""

    hosts: frozenset[str]
    networks: tuple[Network, ...]


def private(entries: Sequence[str]) -> Private:
    """Each an address, a network (CIDR) or an exact host; ValueError for what is none of them."""
    networks = [found for text in entries if (found := _network(text)) is not None]
    hosts = [text for text in entries if _network(text) is None]
    if wrong := [text for text in hosts if not _HOST.fullmatch(text) or _numeric(text)]:
        raise ValueError(f"not a host or a network: {wrong[0]}")
    return Private(frozenset(hosts), tuple(networks))


def may_lead_to(host: str, address: str, *, listed: Private) -> bool:
    """Whether this address is one a connector's own host may have.

    An IPv4 address inside IPv6 is judged as the IPv4 address. A listed host vouches for private
    addresses but not for link-local ones, where clouds keep their credentials, nor for odder ones.
    """
    if is_public(address):
        return True
    found = _address(address)
    if found is None:
        return False
    inside = getattr(found, "ipv4_mapped", None) or found
    if any(inside in network for network in listed.networks):
        return True
    odd = inside.is_link_local or inside.is_multicast or inside.is_unspecified
    return host in listed.hosts and inside.is_private and not odd


def is_public(address: str) -> bool:
    """Whether this is an address of the public network, and no other one in disguise."""
    found = _address(address)
    if found is None or found.is_multicast or not found.is_global:
        return False
    if isinstance(found, ipaddress.IPv4Address):
        return found not in _BACKWARD
    return found in _FORWARD and found not in _TUNNEL


def is_address(host: str) -> bool:
    """Whether it is an IP address already, not a name to be resolved."""
    return _address(host) is not None


def is_loopback(host: str) -> bool:
    """Whether it is one of the two a webhook's entry may spell out."""
    return host in ("127.0.0.1", "::1")


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


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _network(text: str) -> Network | None:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        return None


def _numeric(host: str) -> bool:
    """Some way of writing an address: its last label begins with a digit, as no name's does."""
    return host.rpartition(".")[2][0].isdigit()


def _port(scheme: str) -> int:
    return 443 if scheme == "https" else 80
