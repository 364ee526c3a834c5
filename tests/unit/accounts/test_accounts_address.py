"""From where a request comes, with proxies in front and without."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory
from pytest_django import Settings

from opspilot.accounts import address

PROXIES = ["10.0.0.0/8", "fd00::/8"]


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "found"),
    [
        ("198.51.100.7", "203.0.113.9", [], "198.51.100.7"),
        ("198.51.100.7", "203.0.113.9", PROXIES, "198.51.100.7"),
        ("10.0.0.2", "203.0.113.9", PROXIES, "203.0.113.9"),
        ("10.0.0.2", "1.2.3.4, 203.0.113.9, 10.0.0.3", PROXIES, "203.0.113.9"),
        ("10.0.0.2", "1.2.3.4, not-an-address", PROXIES, "10.0.0.2"),
        ("10.0.0.2", "", PROXIES, "10.0.0.2"),
        ("10.0.0.2", "203.0.113.9:4711", PROXIES, "203.0.113.9"),
        ("fd00::2", "[2001:db8::1]:443", PROXIES, "2001:db8::1"),
        ("::ffff:10.0.0.2", "203.0.113.9", PROXIES, "203.0.113.9"),
        ("", "203.0.113.9", PROXIES, "203.0.113.9"),
        ("", "203.0.113.9", [], address.UNKNOWN),
    ],
)
def test_the_nearest_address_that_is_no_trusted_proxy_counts(
    peer: str, forwarded: str, trusted: list[str], found: str
) -> None:
    assert address.nearest_untrusted(peer, forwarded, trusted) == found


def test_of_an_ipv6_address_the_network_is_counted(settings: Settings) -> None:
    settings.OPSPILOT_TRUSTED_PROXIES = []
    request = RequestFactory().get("/", REMOTE_ADDR="2001:db8:1:2:3:4:5:6")
    assert address.counted_address(request) == "2001:db8:1:2::"


def test_a_network_that_is_none_stops_the_process(settings: Settings) -> None:
    settings.OPSPILOT_TRUSTED_PROXIES = ["10.0.0.0/8", "proxy"]
    with pytest.raises(ImproperlyConfigured, match="OPSPILOT_TRUSTED_PROXIES"):
        address.check_settings()
