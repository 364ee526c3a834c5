"""Where webhooks may go: the exact list, and never into a private network in any disguise."""

from __future__ import annotations

import pytest

from opspilot.connectors import egress
from opspilot.connectors.errors import NotAllowedError

LIST = ["hooks.example.com", "chat.example.com:8443", "slack.example.com/services/T0"]


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com",
        "https://hooks.example.com/",
        "https://hooks.example.com:443/in?api-version=1&sp=%2Ftriggers%2Frun",
        "https://chat.example.com:8443/x",
        "https://slack.example.com/services/T0",
        "https://slack.example.com/services/T0/B1/abc",
    ],
)
def test_a_place_of_the_list_is_allowed(url: str) -> None:
    assert egress.place(url, allowed=LIST).scheme == "https"


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/",  # no TLS
        "https://other.example.com/",
        "https://sub.hooks.example.com/",
        "https://hooks.example.com.evil.example/",
        "https://hooks.example.com./",  # the same name for DNS, not for the list
        "https://HOOKS.example.com/",
        "https://hooks.example.com:8443/",  # another port
        "https://chat.example.com/",  # the port of the list, not the usual one
        "https://hooks.example.com:0443/",
        "https://hooks.example.com:99999/",
        "https://user@hooks.example.com/",
        "https://hooks.example.com@evil.example/",
        "https://user:pass@hooks.example.com/",
        "https://hooks.example.com/#x",
        "https://hooks.example.com\\@evil.example/",
        "https://hooks.example.com/a b",
        "https://hooks.example.com/a\r\nX-Header: 1",
        "https://hooks.example.com/\x00",
        "https://hooks.example.com/..",
        "https://slack.example.com/services/T0/../T9/B1",
        "https://slack.example.com/services/T0/%2e%2e/T9",
        "https://slack.example.com/services/T0/%2E./T9",
        "https://slack.example.com/services/T0%2f..%2fT9",
        "https://slack.example.com/services/T0//T9",
        "https://slack.example.com/services/T0/%252e%252e/T9",
        "https://slack.example.com/services/T01",  # begins alike, is another one
        "https://slack.example.com/services",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://2130706433/",  # 127.0.0.1 as one number
        "https://0x7f000001/",
        "https://0x7f.1/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://[::ffff:127.0.0.1]/",
        "https://localhost/",
        "https://①②⑦.⓪.⓪.①/",
        "https://hooks。example.com/",
        "ftp://hooks.example.com/",
        "file:///etc/passwd",
        "//hooks.example.com/",
        "hooks.example.com",
        "",
        "https://hooks.example.com/" + "a" * 500,
    ],
)
def test_what_is_not_exactly_on_the_list_is_refused(url: str) -> None:
    with pytest.raises(NotAllowedError):
        egress.place(url, allowed=LIST)


def test_an_empty_list_allows_nothing() -> None:
    with pytest.raises(NotAllowedError):
        egress.place("https://hooks.example.com/", allowed=[])


def test_loopback_is_allowed_only_where_the_list_names_its_port() -> None:
    allowed = ["http://127.0.0.1:9000"]
    assert egress.place("http://127.0.0.1:9000/x", allowed=allowed).loopback
    for url in ("http://127.0.0.1:9001/x", "http://127.0.0.2:9000/x", "https://127.0.0.1:9000/x"):
        with pytest.raises(NotAllowedError):
            egress.place(url, allowed=allowed)


@pytest.mark.parametrize(
    "text",
    [
        "", "*", "*.example.com", "example", "10.0.0.1", "2130706433", "0x7f.0x1",
        "http://hooks.example.com", "http://10.0.0.1:80", "http://localhost:80",
        "hooks.example.com:0", "hooks.example.com/..", "hooks.example.com/a?b",
        "user@hooks.example.com", "Hooks.example.com", " hooks.example.com",
    ],
)  # fmt: skip
def test_an_entry_that_is_no_place_is_an_error(text: str) -> None:
    with pytest.raises((ValueError, NotAllowedError)):
        egress.entry(text)


@pytest.mark.parametrize(
    "address",
    [
        "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1",
        "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "203.0.113.1",
        "224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2001::1", "2001:db8::1", "2002:7f00:1::",
        "fc00::1", "fd00::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1",
        "127.1", "2130706433", "x", "",
    ],
)  # fmt: skip
def test_an_address_that_is_not_of_the_public_network_is_known(address: str) -> None:
    assert not egress.is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "2606:4700::1111"])
def test_a_public_address_is_public(address: str) -> None:
    assert egress.is_public(address)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://gitlab.example.com", ("https", "gitlab.example.com", 443, "")),
        ("https://gitlab.example.com/", ("https", "gitlab.example.com", 443, "")),
        ("http://gitlab:8080/git/", ("http", "gitlab", 8080, "/git")),
        ("http://10.1.2.3", ("http", "10.1.2.3", 80, "")),
        ("http://[::1]:3000", ("http", "::1", 3000, "")),
    ],
)
def test_a_connector_s_address_is_read(url: str, expected: tuple[str, str, int, str]) -> None:
    found = egress.base(url)
    assert (found.scheme, found.host, found.port, found.path) == expected


@pytest.mark.parametrize(
    "url",
    [
        "", "gitlab.example.com", "//gitlab.example.com", "ftp://gitlab.example.com", "https://",
        "https://user@gitlab.example.com", "https://gitlab.example.com?x", "https://a.example/#x",
        "https://gitlab.example.com:99999", "https://a_b.example", "https://a.example/x/../y",
        "https://gitlab.example.com\\@evil.example", "https://①②⑦.⓪.⓪.①",
    ],
)  # fmt: skip
def test_what_is_no_plain_address_is_an_error(url: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        egress.base(url)


def leads(host: str, address: str, *entries: str) -> bool:
    return egress.may_lead_to(host, address, listed=egress.private(entries))


PRIVATE = ["10.0.0.1", "127.0.0.1", "::1", "::ffff:10.0.0.1", "fd00::1", "169.254.169.254"]


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_is_refused_when_nothing_is_listed(address: str) -> None:
    assert not leads("gitlab.internal", address)


@pytest.mark.parametrize("address", PRIVATE)
def test_another_host_that_is_listed_does_not_help(address: str) -> None:
    assert not leads("gitlab.internal", address, "other.internal", "internal")


@pytest.mark.parametrize("address", ["10.0.0.1", "127.0.0.1", "::1", "::ffff:10.0.0.1", "fd00::1"])
def test_a_listed_host_may_lead_to_a_private_address(address: str) -> None:
    assert leads("gitlab.internal", address, "gitlab.internal")


@pytest.mark.parametrize("address", ["169.254.169.254", "fe80::1", "224.0.0.1", "0.0.0.0", "::"])  # noqa: S104
def test_a_listed_host_does_not_vouch_for_link_local_and_odd_addresses(address: str) -> None:
    assert not leads("gitlab.internal", address, "gitlab.internal")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.0.0.1", "10.0.0.0/8"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("169.254.169.254", "169.254.0.0/16"),
        ("fd00::1", "fd00::/8"),
    ],
)
def test_a_listed_network_allows_its_addresses_and_no_other(address: str, network: str) -> None:
    assert leads("gitlab.internal", address, network)
    assert not leads("gitlab.internal", "192.168.7.7", network)


def test_a_public_address_needs_no_entry() -> None:
    assert leads("gitlab.example.com", "8.8.8.8")


@pytest.mark.parametrize(
    "text", ["", "*", "*.internal", "10.0.0.0/33", "10.0.0.1/8", "10.0.0", "A"]
)
def test_an_entry_that_is_no_host_and_no_network_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="not a host or a network"):
        egress.private(["gitlab.internal", text])


def test_no_domain_named_narrows_nothing() -> None:
    assert egress.mail_is_allowed("a@anywhere.example", domains=[])


def test_letters_go_to_the_named_domains_only() -> None:
    domains = ["aurora.example"]
    assert egress.mail_is_allowed("a@AURORA.example", domains=domains)
    assert not egress.mail_is_allowed("a@x.aurora.example", domains=domains)
    assert not egress.mail_is_allowed("a@aurora.example@evil.example", domains=domains)
