"""Signed messages against a real server: what it sees, and what no answer of its can do to us."""

from __future__ import annotations

import datetime as dt
import json
import socket
import time
from collections.abc import Iterator

import httpcore
import pytest
from pytest_django import Settings
from standardwebhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError

from opspilot.connectors import names, webhooks
from opspilot.connectors.errors import (
    NotAllowedError,
    NotSentError,
    OutcomeUnknownError,
    RefusedByRemoteError,
)
from tests.hooks import Receiver, receiving
from tests.unit.connectors.naming import hanging_names

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_" + "b" * 32
BODY = json.dumps({"type": "aviso.teste", "data": {"id": "1"}})


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    with receiving() as found:
        settings.OPSPILOT_EGRESS_HTTP = [found.base]
        yield found


def send(receiver: Receiver, *secrets: str) -> None:
    webhooks.send(
        url=f"{receiver.base}/in",
        message_id="msg_1",
        body=BODY,
        secrets=secrets or (SECRET,),
        at=dt.datetime.now(dt.UTC),
    )


def test_the_stock_library_verifies_what_arrives(receiver: Receiver) -> None:
    send(receiver)
    (seen,) = receiver.seen
    assert Webhook(SECRET).verify(seen.body, seen.headers) == json.loads(BODY)
    assert seen.headers["webhook-id"] == "msg_1"
    assert seen.path == "/in"


def test_another_secret_or_another_body_is_not_verified(receiver: Receiver) -> None:
    send(receiver)
    (seen,) = receiver.seen
    with pytest.raises(WebhookVerificationError):
        Webhook(OTHER).verify(seen.body, seen.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(seen.body + b" ", seen.headers)


def test_during_a_rotation_both_secrets_verify(receiver: Receiver) -> None:
    send(receiver, SECRET, OTHER)
    (seen,) = receiver.seen
    for secret in (SECRET, OTHER):
        assert Webhook(secret).verify(seen.body, seen.headers)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_is_followed(receiver: Receiver, status: int) -> None:
    receiver.answers(status, headers={"Location": f"{receiver.base}/elsewhere"})
    with pytest.raises(RefusedByRemoteError) as caught:
        send(receiver)
    assert caught.value.status == status
    assert [seen.path for seen in receiver.seen] == ["/in"]


@pytest.mark.parametrize("status", [400, 404, 410, 429, 500, 503])
def test_any_answer_but_success_is_a_refusal_with_its_status(
    receiver: Receiver, status: int
) -> None:
    receiver.answers(status)
    with pytest.raises(RefusedByRemoteError) as caught:
        send(receiver)
    assert caught.value.status == status


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_any_success_is_success(receiver: Receiver, status: int) -> None:
    receiver.answers(status)
    send(receiver)
    assert len(receiver.seen) == 1


def test_an_answer_without_end_is_cut_off(receiver: Receiver) -> None:
    receiver.endless = True
    started = time.monotonic()
    send(receiver)
    assert time.monotonic() - started < 5


def test_a_server_that_speaks_slowly_does_not_hold_the_sender(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "WHOLE", 1.0)
    receiver.drips = 0.3
    started = time.monotonic()
    with pytest.raises(OutcomeUnknownError):
        send(receiver)
    assert time.monotonic() - started < 3


def test_a_place_nobody_listens_at_was_not_reached(receiver: Receiver) -> None:
    receiver.stop()
    with pytest.raises(NotSentError):
        send(receiver)


def test_a_place_outside_the_list_is_never_connected_to(
    receiver: Receiver, settings: Settings
) -> None:
    settings.OPSPILOT_EGRESS_HTTP = ["hooks.example.com"]
    with pytest.raises(NotAllowedError):
        send(receiver)
    assert receiver.seen == []


def test_a_proxy_of_the_environment_is_not_used(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    send(receiver)
    assert len(receiver.seen) == 1


def test_the_address_that_was_checked_is_the_one_connected_to(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that answers otherwise a moment later is not asked again."""
    settings.OPSPILOT_EGRESS_HTTP = ["hooks.example.com"]
    asked: list[str] = []
    connected: list[str] = []

    def lookup(host: str, port: int, **_rest: object) -> list[tuple[object, ...]]:
        asked.append(host)
        address = "8.8.8.8" if len(asked) == 1 else "127.0.0.1"
        return [(0, 0, 0, "", (address, port))]

    def connect(_backend: object, host: str, port: int, **_rest: object) -> httpcore.NetworkStream:
        connected.append(host)
        raise httpcore.ConnectError("no network in tests")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
    with pytest.raises(NotSentError):
        send_to_hooks()
    assert (asked, connected) == (["hooks.example.com"], ["8.8.8.8"])


def test_the_certificate_must_be_for_the_name_and_not_for_the_address(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPSPILOT_EGRESS_HTTP = ["hooks.example.com"]
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

    answer = Stream([b"HTTP/1.1 204 No Content\r\n\r\n"])
    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", lambda *_a, **_k: answer)
    send_to_hooks()
    assert told == ["hooks.example.com"]


@pytest.mark.parametrize("address", ["10.1.2.3", "169.254.169.254", "::1", "::ffff:8.8.8.8"])
def test_one_address_that_is_not_public_is_enough_and_nothing_is_connected_to(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Whatever connectors may reach: the list of private networks is not one for webhooks."""
    settings.OPSPILOT_EGRESS_HTTP = ["hooks.example.com"]
    settings.OPSPILOT_EGRESS_PRIVATE = ["hooks.example.com", "10.0.0.0/8", "169.254.0.0/16", "::/0"]
    connected: list[str] = []
    monkeypatch.setattr(names, "addresses", lambda *_asked, **_until: ["8.8.8.8", address])
    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", lambda *_a, **_k: connected.append(""))
    with pytest.raises(NotAllowedError):
        send_to_hooks()
    assert connected == []


def test_a_name_that_is_never_resolved_costs_no_more_than_the_whole_time(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPSPILOT_EGRESS_HTTP = ["hooks.example.com"]
    monkeypatch.setattr(webhooks, "WHOLE", 0.3)
    started = time.monotonic()
    with hanging_names(monkeypatch), pytest.raises(NotSentError):
        send_to_hooks()
    assert time.monotonic() - started < 2


def send_to_hooks() -> None:
    webhooks.send(
        url="https://hooks.example.com/in",
        message_id="msg_1",
        body=BODY,
        secrets=[SECRET],
        at=dt.datetime.now(dt.UTC),
    )
