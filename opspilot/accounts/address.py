"""From where a request comes, when proxies stand in front."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from functools import cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
UNKNOWN = "0.0.0.0"  # noqa: S104 - a word for "no address", nothing listens on it
PREFIX = 64  # bits of an IPv6 address that one customer has


def client_address(request: HttpRequest) -> str:
    """The nearest address that is not a trusted proxy. A header from anybody else is ignored."""
    return nearest_untrusted(
        request.META.get("REMOTE_ADDR", ""),
        request.META.get("HTTP_X_FORWARDED_FOR", ""),
        settings.OPSPILOT_TRUSTED_PROXIES,
    )


def counted_address(request: HttpRequest) -> str:
    """What the lock-out counts by: of an IPv6 address the network, since a customer has all of it."""
    address = ipaddress.ip_address(client_address(request))
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, PREFIX), strict=False).network_address)


def nearest_untrusted(peer: str, forwarded: str, trusted: Sequence[str]) -> str:
    """Walk from our end: each hop vouches only for the one before it, and only if it is trusted."""
    networks = _networks(tuple(trusted))
    address = _parsed(peer)
    for claimed in reversed(forwarded.split(",")):
        if not _vouches(address, networks):
            break
        before = _parsed(claimed)
        if before is None:
            break
        address = before
    return str(address) if address else UNKNOWN


def _vouches(address: Address | None, networks: Sequence[Network]) -> bool:
    """No peer address at all is a proxy on a Unix socket: trusted when any proxy is."""
    if address is None:
        return bool(networks)
    return any(address in network for network in networks)


def _parsed(text: str) -> Address | None:
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


@cache
def _networks(texts: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(text.strip(), strict=False) for text in texts)


def check_settings() -> None:
    try:
        _networks(tuple(settings.OPSPILOT_TRUSTED_PROXIES))
    except ValueError as exc:
        raise ImproperlyConfigured(f"OPSPILOT_TRUSTED_PROXIES: {exc}") from exc
