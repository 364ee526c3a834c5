"""The client of one remote, against a real server on loopback: where it goes and how long it waits."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpcore
import httpx
import pytest
from pytest_django import Settings

from opspilot.connectors import http, names
from opspilot.connectors.errors import (
    NotAllowedError,
    NotSentError,
    OutcomeUnknownError,
    RemoteFaultError,
)
from opspilot.connectors.http import Answer, BoundedClient
from tests.unit.connectors.naming import connecting, hanging_names, resolving

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
Speak = Callable[[socket.socket], None]


class Server:
    """Says the same to each connection; keeps what it was asked."""

    def __init__(self, speak: Speak) -> None:
        self.seen: list[bytes] = []
        self._speak = speak
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _peer = self._socket.accept()
            except OSError:
                return
            with connection:
                self.seen.append(connection.recv(65536))
                try:
                    self._speak(connection)
                except OSError:
                    continue

    def stop(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@contextmanager
def serving(speak: Speak | bytes) -> Iterator[Server]:
    found = Server((lambda it: it.sendall(speak)) if isinstance(speak, bytes) else speak)
    try:
        yield found
    finally:
        found.stop()


def client(base_url: str, *, timeout: float = 5.0) -> BoundedClient:
    return BoundedClient(base_url=base_url, token="segredo", timeout=timeout)


def dripping(connection: socket.socket) -> None:
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 100:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def test_a_request_arrives_and_its_answer_comes_back() -> None:
    with serving(OK) as server:
        assert client(server.base).request("GET", "/a", params={"b": "c d"}).json() == {}
    head, *_rest = server.seen[0].decode().split("\r\n")
    assert head == "GET /a?b=c+d HTTP/1.1"
    assert "Authorization: Bearer segredo" in server.seen[0].decode()


@pytest.mark.parametrize(
    "content",
    [
        b"{", b'{"iid": Infinity}', b'{"iid": -Infinity}', b'{"iid": NaN}', b'{"iid": 1e999}',
        b'{"iid": ' + b"9" * 5000 + b"}", b"[" * 100_000, b'"\xed\xa0\x80"', b'"\xff"', b'"\x00"',
    ],
)  # fmt: skip
def test_an_answer_that_nobody_can_use_leaves_the_outcome_unknown(content: bytes) -> None:
    with pytest.raises(OutcomeUnknownError):
        Answer(200, {}, content).json()


def test_a_sign_that_no_database_takes_is_replaced_wherever_it_stands() -> None:
    content = rb"""{"t\u0000": ["x\u0000y", {"z": "\uD800"}], "n": 1.5, "par": "\ud83d\ude00"}"""
    assert Answer(200, {}, content).json() == {
        "t\ufffd": ["x\ufffdy", {"z": "\ufffd"}],
        "n": 1.5,
        "par": "\U0001f600",
    }


def test_each_exchange_has_a_connection_of_its_own() -> None:
    """A connection kept open may be closed by the remote in the very moment of a POST."""
    with serving(OK) as server:
        remote = client(server.base)
        for _ in range(3):
            remote.request("POST", "/a", json={})
    assert len(server.seen) == 3
    assert all(b"Connection: close" in seen for seen in server.seen)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_is_followed(status: int) -> None:
    with serving(OK) as elsewhere:
        answer = f"HTTP/1.1 {status} X\r\nLocation: {elsewhere.base}/\r\nContent-Length: 0\r\n\r\n"
        with serving(answer.encode()) as server:
            assert client(server.base).request("GET", "/a").status == status
    assert (len(server.seen), elsewhere.seen) == (1, [])


def test_an_answer_over_the_cap_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_BODY", 100_000)

    def speak(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connection.sendall(b"x" * 65536)

    with serving(speak) as server, pytest.raises(OutcomeUnknownError, match="too long"):
        client(server.base).request("GET", "/a")


def test_a_packed_answer_is_not_unpacked() -> None:
    """A few bytes on the wire could be gigabytes in memory."""
    packed = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"
    with serving(packed) as server, pytest.raises(OutcomeUnknownError, match="packed"):
        client(server.base).request("GET", "/a")
    assert b"Accept-Encoding: identity" in server.seen[0]


def test_a_remote_that_speaks_slowly_costs_no_more_than_the_whole_time() -> None:
    started = time.monotonic()
    with serving(dripping) as server, pytest.raises(RemoteFaultError):
        client(server.base, timeout=0.4).request("GET", "/a")
    assert time.monotonic() - started < 2


def test_a_lost_answer_is_the_remote_s_fault_and_of_unknown_outcome() -> None:
    short = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"
    with serving(short) as server, pytest.raises(RemoteFaultError):
        client(server.base).request("POST", "/a", json={})


def test_a_place_nobody_listens_at_was_not_reached() -> None:
    with serving(OK) as server:
        pass
    with pytest.raises(NotSentError):
        client(server.base).request("GET", "/a")


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with serving(OK) as server:
        assert client(server.base).request("GET", "/a").status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../secret", "/%2e%2e/secret", "/x%2f..%2fy", "/x/..", "//evil", "/x//y", "/%25a", "/\x00",
        "/%5c..", "../secret", "..", "//evil.example/a", "http://evil.example/a",
    ],
)  # fmt: skip
def test_nothing_is_asked_outside_the_remote_s_own_address(path: str) -> None:
    with serving(OK) as server, pytest.raises(NotAllowedError):
        client(f"{server.base}/api").request("GET", path)
    assert server.seen == []


def test_what_lies_under_the_remote_s_address_is_asked_there() -> None:
    with serving(OK) as server:
        client(f"{server.base}/api/").request("GET", "/v4/user")
    assert server.seen[0].startswith(b"GET /api/v4/user HTTP/1.1")


@pytest.mark.parametrize("path", ["http://evil.example/a", "//evil.example/a", "@evil.example/a"])
def test_a_path_cannot_name_another_host(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connected = connecting(monkeypatch)
    with pytest.raises(NotAllowedError):
        client("http://127.0.0.1:9").request("GET", path)
    assert connected == []


def test_without_an_address_nothing_is_sent() -> None:
    with pytest.raises(NotSentError):
        client("").request("GET", "/a")


@pytest.mark.parametrize(
    "address", ["10.0.0.1", "169.254.169.254", "127.0.0.1", "::1", "::ffff:10.0.0.1", "fd00::1"]
)
def test_a_name_that_leads_into_a_private_network_is_refused_unless_listed(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, address: str
) -> None:
    connected = connecting(monkeypatch)
    resolving(monkeypatch, [address], [address])
    settings.OPSPILOT_EGRESS_PRIVATE = ["other.internal", "192.168.0.0/16"]
    with pytest.raises(NotAllowedError):
        client("http://gitlab.internal").request("GET", "/a")
    assert connected == []
    settings.OPSPILOT_EGRESS_PRIVATE = ["0.0.0.0/0", "::/0"]
    with pytest.raises(NotSentError):
        client("http://gitlab.internal").request("GET", "/a")
    assert connected == [address]


def test_an_address_that_is_written_out_must_be_listed_too(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    connected = connecting(monkeypatch)
    settings.OPSPILOT_EGRESS_PRIVATE = []
    with pytest.raises(NotAllowedError):
        client("http://10.0.0.1").request("GET", "/a")
    assert connected == []


def test_one_private_address_among_public_ones_is_enough_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connected = connecting(monkeypatch)
    resolving(monkeypatch, ["8.8.8.8", "10.0.0.1"])
    with pytest.raises(NotAllowedError):
        client("https://gitlab.example.com").request("GET", "/a")
    assert connected == []


def test_a_name_that_changes_its_answer_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    connected = connecting(monkeypatch)
    asked = resolving(monkeypatch, ["8.8.8.8"], ["10.0.0.1"])
    with pytest.raises(NotSentError):
        client("https://gitlab.example.com").request("GET", "/a")
    assert (asked, connected) == (["gitlab.example.com"], ["8.8.8.8"])


def test_the_next_address_is_tried_when_one_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connected = connecting(monkeypatch)
    resolving(monkeypatch, ["8.8.8.8", "8.8.4.4"])
    with pytest.raises(NotSentError):
        client("https://gitlab.example.com").request("GET", "/a")
    assert connected == ["8.8.8.8", "8.8.4.4"]


def test_a_name_that_is_never_resolved_costs_no_more_than_the_whole_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = time.monotonic()
    with hanging_names(monkeypatch), pytest.raises(NotSentError):
        client("https://gitlab.example.com", timeout=0.3).request("POST", "/a", json={})
    assert time.monotonic() - started < 2


def test_the_certificate_and_the_host_are_the_name_s_and_not_the_address_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(names, "addresses", lambda *_asked, **_until: ["8.8.8.8"])
    told: list[str | None] = []

    class Stream(httpcore.MockStream):
        def start_tls(
            self,
            ssl_context: object,
            server_hostname: str | None = None,
            timeout: float | None = None,
        ) -> httpcore.NetworkStream:
            told.append(server_hostname)
            return self

        def write(self, buffer: bytes, timeout: float | None = None) -> None:
            told.extend(line for line in buffer.decode().split("\r\n") if line.startswith("Host:"))

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", lambda *_a, **_k: Stream([OK]))
    assert client("https://gitlab.example.com").request("GET", "/a").status == 200
    assert told == ["gitlab.example.com", "Host: gitlab.example.com"]


@pytest.mark.parametrize(
    "error", [httpx.ReadTimeout, httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError]
)
def test_what_fails_after_sending_counts_against_the_remote(error: type[httpx.HTTPError]) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        raise error("x")

    remote = BoundedClient(
        base_url="http://gitlab.example",
        token="segredo",
        timeout=2.0,
        transport=httpx.MockTransport(handler),
    )
    with pytest.raises(RemoteFaultError):
        remote.request("POST", "/a", json={})


def asked_by_a_library(server: Server) -> httpx.Response:
    return http.client_for_library(timeout=5.0).get(f"{server.base}/v1/embeddings")


def test_a_library_s_client_reads_an_answer_and_asks_for_it_unpacked() -> None:
    with serving(OK) as server:
        assert asked_by_a_library(server).json() == {}
        assert b"accept-encoding: identity" in server.seen[0].lower()


def test_a_library_s_client_goes_nowhere_private_that_is_not_listed(settings: Settings) -> None:
    settings.OPSPILOT_EGRESS_PRIVATE = []
    with serving(OK) as server, pytest.raises(NotAllowedError):
        asked_by_a_library(server)
    assert server.seen == []


def test_a_library_s_client_follows_nothing() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n"
    with serving(moved) as server:
        assert asked_by_a_library(server).status_code == 302
        assert len(server.seen) == 1


def test_a_library_s_client_stops_at_an_answer_that_is_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http, "MAX_BODY", 1)
    with serving(OK) as server, pytest.raises(httpx.ReadError):
        asked_by_a_library(server)


def test_a_library_s_client_reads_nothing_that_is_packed() -> None:
    packed = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"
    with serving(packed) as server, pytest.raises(httpx.DecodingError):
        asked_by_a_library(server)
