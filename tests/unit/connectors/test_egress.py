"""Where webhooks may go: the exact list, and never into a private network in any disguise."""

from __future__ import annotations

import socket

import pytest

from opspilot.connectors import egress
from opspilot.connectors.errors import NotAllowedError, NotSentError

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


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str] | Exception) -> list[str]:
    """The name server says these, one after the other; returns what it was asked."""
    asked: list[str] = []
    left = list(answers)

    def lookup(host: str, port: int, **_rest: object) -> list[tuple[object, ...]]:
        asked.append(host)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return [(0, 0, 0, "", (address, port)) for address in answer]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return asked


def hooks() -> egress.Place:
    return egress.place("https://hooks.example.com/", allowed=LIST)


def test_a_name_that_leads_into_a_private_network_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolving(monkeypatch, ["10.1.2.3"])
    with pytest.raises(NotAllowedError):
        egress.addresses(hooks())


def test_one_private_address_among_public_ones_is_enough_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolving(monkeypatch, ["8.8.8.8", "127.0.0.1"])
    with pytest.raises(NotAllowedError):
        egress.addresses(hooks())


def test_a_name_without_an_address_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, socket.gaierror(-2, "unknown"), [])
    for _ in range(2):
        with pytest.raises(NotSentError):
            egress.addresses(hooks())


def test_no_domain_named_narrows_nothing() -> None:
    assert egress.mail_is_allowed("a@anywhere.example", domains=[])


def test_letters_go_to_the_named_domains_only() -> None:
    domains = ["aurora.example"]
    assert egress.mail_is_allowed("a@AURORA.example", domains=domains)
    assert not egress.mail_is_allowed("a@x.aurora.example", domains=domains)
    assert not egress.mail_is_allowed("a@aurora.example@evil.example", domains=domains)
