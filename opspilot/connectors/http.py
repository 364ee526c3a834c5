"""The one door to HTTP: no redirects, bounded time and size, failures sorted by next move.

No other module builds a client. Whatever leaves goes to a listed place, by an address that was
checked, on a connection of its own: nothing idle, that the remote has closed meanwhile, can turn
a request into one of unknown outcome. No proxy of the environment is used.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from ssl import SSLContext
from typing import Any

import httpcore
import httpx
from django.conf import settings

from opspilot.connectors import egress, names
from opspilot.connectors.errors import (
    NotAllowedError,
    NotSentError,
    OutcomeUnknownError,
    RemoteFaultError,
)
from opspilot.connectors.pinned import Pinned, Resolve

MAX_BODY = 8 * 1024 * 1024  # bytes of an answer we are willing to read
MAX_IGNORED = 16 * 1024  # bytes read of an answer nobody looks at

_UNKEPT = re.compile(r"[\x00\ud800-\udfff]")
_UNKEPT_ESCAPES = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)
NOT_REACHED = (httpx.ConnectError, httpx.ConnectTimeout)
"""There was no connection: for who gives a library the door's client and reads its errors."""
_NOT_SENT = (
    *NOT_REACHED,
    httpx.PoolTimeout,
    httpx.LocalProtocolError,
    httpx.UnsupportedProtocol,
)
_NOT_POSTED = (
    httpcore.ConnectError,
    httpcore.ConnectTimeout,
    httpcore.UnsupportedProtocol,
    httpcore.LocalProtocolError,
)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """The parsed body; an unreadable one leaves the outcome unknown.

        Its numbers are finite, and its texts can be kept: a sign that no database takes (U+0000,
        half of a pair) has become U+FFFD.
        """
        try:
            text = self.content.decode("utf-8-sig")
            found = json.loads(text, parse_constant=_finite, parse_float=_finite)
            return _kept(found) if _UNKEPT_ESCAPES.search(text) else found
        except (ValueError, RecursionError) as exc:
            raise OutcomeUnknownError("the answer is not JSON") from exc


class BoundedClient:
    """For one remote and nothing else: whole requests, name and all, bounded by `timeout` seconds.

    The remote's address may lead into a private network only where OPSPILOT_EGRESS_PRIVATE says
    so. An empty address can be built, and its requests are not sent.
    """

    def __init__(
        self,
        *,
        base_url: str,
        token: str,
        timeout: float,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._timeout = timeout
        self._base = egress.base(base_url) if base_url else None
        self._client = httpx.Client(
            base_url=base_url,
            headers={
                "Authorization": f"Bearer {token}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "Connection": "close",
            },
            timeout=httpx.Timeout(timeout),
            follow_redirects=False,
            trust_env=False,
            transport=transport or _Transport(_resolve, whole=timeout),
        )

    def request(self, method: str, path: str, **arguments: Any) -> Answer:
        """One exchange. `path` lies under the base address: with another one, or one that climbs,
        NotAllowedError. Else raises NotSentError or OutcomeUnknownError, never an httpx error.
        """
        deadline = time.monotonic() + self._timeout
        request = self._request(method, path, **arguments)
        try:
            response = self._client.send(request, stream=True)
            try:
                content = _read(response, deadline)
            finally:
                response.close()
        except _NOT_SENT as exc:
            raise NotSentError("the remote could not be reached") from exc
        except (httpx.RequestError, httpx.StreamError) as exc:
            raise RemoteFaultError("the answer was lost") from exc
        return Answer(response.status_code, dict(response.headers), content)

    def _request(self, method: str, path: str, **arguments: Any) -> httpx.Request:
        if self._base is None:
            raise NotSentError("no address of this remote is configured")
        try:
            request = self._client.build_request(method, path, **arguments)
        except httpx.InvalidURL as exc:
            raise NotAllowedError("the path is not one that can be asked for") from exc
        url = request.url
        # As it was given: on the way into a URL, dot segments are resolved.
        as_given = self._base.path + path
        covers = self._base.covers
        if not covers(self._base.scheme, self._base.host, self._base.port, as_given):
            raise NotAllowedError("the path does not lie under the remote's address")
        if not covers(url.scheme, url.host, url.port, url.raw_path.decode().partition("?")[0]):
            raise NotAllowedError("the request leads to another place")
        return request


def client_for_library(*, timeout: float) -> httpx.Client:
    """For a library that takes a client and would else bring its own: each call goes to an address
    that was checked, as a whole within `timeout` seconds, follows nothing, and reads no more than
    MAX_BODY bytes. What may be sent where is the library's own setting.

    Raises httpx errors, and a ConnectorError for an address that is not allowed.
    """
    return httpx.Client(
        headers={"Accept-Encoding": "identity", "Connection": "close"},
        timeout=httpx.Timeout(timeout),
        follow_redirects=False,
        trust_env=False,
        transport=_BoundedTransport(_resolve, whole=timeout),
    )


def post_once(
    wanted: egress.Place, *, headers: Mapping[str, str], body: bytes, whole: float
) -> int:
    """The status of one POST to a place of the webhooks' list; the answer is not kept.

    Raises NotAllowedError, NotSentError or OutcomeUnknownError.
    """
    url = httpcore.URL(
        scheme=wanted.scheme, host=wanted.host.strip("[]"), port=wanted.port, target=wanted.target
    )
    limits = dict.fromkeys(("connect", "read", "write", "pool"), whole)
    pairs: list[tuple[bytes | str, bytes | str]] = list(headers.items())
    try:
        with (
            _pool(_resolve_public, whole=whole) as pool,
            pool.stream(
                "POST", url, headers=pairs, content=body, extensions={"timeout": limits}
            ) as response,
        ):
            _ignore(response.iter_stream())
            return int(response.status)
    except _NOT_POSTED as exc:
        raise NotSentError("the destination could not be reached") from exc
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as exc:
        raise RemoteFaultError("the answer was lost") from exc


def _resolve(host: str, port: int, deadline: float) -> list[str]:
    """For a remote's own address: public, or listed as private."""
    listed = egress.private(settings.OPSPILOT_EGRESS_PRIVATE)
    found = _addresses(host, port, deadline)
    if not all(egress.may_lead_to(host, address, listed=listed) for address in found):
        raise NotAllowedError("the remote's name leads into a private network that is not listed")
    return found


def _resolve_public(host: str, port: int, deadline: float) -> list[str]:
    """For a webhook: public, or the loopback address that its own list entry has spelt out."""
    if egress.is_loopback(host):
        return [host]
    found = _addresses(host, port, deadline)
    if not all(egress.is_public(address) for address in found):
        raise NotAllowedError("the name leads into a private network")
    return found


def _addresses(host: str, port: int, deadline: float) -> list[str]:
    return [host] if egress.is_address(host) else names.addresses(host, port, deadline=deadline)


class _Transport(httpx.HTTPTransport):
    """httpx over connections of ours. httpx has no argument for them, hence its own attribute."""

    def __init__(self, resolve: Resolve, *, whole: float) -> None:
        super().__init__(verify=_trusted(), trust_env=False)
        self._pool = _pool(resolve, whole=whole)


class _BoundedTransport(_Transport):
    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            response.close()
            raise httpx.DecodingError("the answer is packed, which was not asked for")
        stream = _BoundedStream(response.stream)
        return httpx.Response(response.status_code, headers=response.headers, stream=stream)


class _BoundedStream(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream | httpx.AsyncByteStream) -> None:
        if not isinstance(stream, httpx.SyncByteStream):
            raise TypeError("the door is not asynchronous")
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._stream:
            size += len(part)
            if size > MAX_BODY:
                raise httpx.ReadError("the answer is too long")
            yield part

    def close(self) -> None:
        self._stream.close()


def _pool(resolve: Resolve, *, whole: float) -> httpcore.ConnectionPool:
    return httpcore.ConnectionPool(
        ssl_context=_trusted(),
        network_backend=Pinned(resolve, whole=whole),
        max_connections=None,
        max_keepalive_connections=0,
        http2=False,
        retries=0,
    )


@cache
def _trusted() -> SSLContext:
    return httpx.create_ssl_context(trust_env=False)


def _read(response: httpx.Response, deadline: float) -> bytes:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise OutcomeUnknownError("the answer is packed, which was not asked for")
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        size += len(part)
        if size > MAX_BODY:
            raise OutcomeUnknownError("the answer is too long")
        if time.monotonic() > deadline:
            raise RemoteFaultError("the answer is too slow")
        parts.append(part)
    return b"".join(parts)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("the answer has a number that is none")
    return number


def _kept(value: Any) -> Any:
    """No deeper than the parser's own recursion went."""
    if isinstance(value, str):
        return _UNKEPT.sub("\ufffd", value)
    if isinstance(value, list):
        return [_kept(item) for item in value]
    if isinstance(value, dict):
        return {_UNKEPT.sub("\ufffd", name): _kept(item) for name, item in value.items()}
    return value


def _ignore(parts: Iterable[bytes]) -> None:
    """To its end when that is near: what is longer is cut off by closing the connection."""
    size = 0
    for part in parts:
        size += len(part)
        if size > MAX_IGNORED:
            return
