"""Nothing reaches the protocol without a token: the same tokens, limits and refusals as the door's."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import cast

import anyio
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from opspilot import request_id
from opspilot.api import door, problems
from opspilot.api.entry import DoorRequest
from opspilot.api.errors import BodyTooLargeError, UnreadableRequestError, WrongMethodError
from opspilot.api.parsing import read_object
from opspilot.errors import OpsPilotError
from opspilot.mcp.threads import in_thread

PATIENCE = 15.0  # seconds for a body to arrive
_CAME = "opspilot.came"


def came(scope: Mapping[str, object]) -> DoorRequest:
    """Who was let in, of a scope that passed the gate."""
    return cast(DoorRequest, scope[_CAME])


class Gate:
    """Reads the whole body: what is passed on is one plain JSON object, within the door's limit."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = ASGIRequest(scope, BytesIO())
        refused = await in_thread(_refusal, request)
        if refused is not None:
            await _send(refused, send)
            return
        try:
            body = await _read(receive)
        except OpsPilotError as exc:
            await _send(await in_thread(_problem, request, exc), send)
            return
        await self._app(dict(scope) | {_CAME: request}, _again(body, receive), send)


def _refusal(request: ASGIRequest) -> HttpResponse | None:
    with request_id.job("mcp"):
        if request.method != "POST":
            refused = problems.answer(request, WrongMethodError())
            refused["Allow"] = "POST"
            return refused
        return door.refusal(request)


def _problem(request: ASGIRequest, error: OpsPilotError) -> HttpResponse:
    with request_id.job("mcp"):
        return problems.answer(request, error)


async def _read(receive: Receive) -> bytes:
    """Raises the refusal of a body that is too large, too slow or not one plain object."""
    parts, size, more = list[bytes](), 0, True
    with anyio.move_on_after(PATIENCE) as waiting:
        while more:
            message = await receive()
            if message["type"] != "http.request":
                raise UnreadableRequestError
            parts.append(message.get("body", b""))
            size, more = size + len(parts[-1]), message.get("more_body", False)
            if size > door.MAX_BODY:
                raise BodyTooLargeError
    if waiting.cancelled_caught:
        raise UnreadableRequestError
    body = b"".join(parts)
    read_object(body)
    return body


def _again(body: bytes, receive: Receive) -> Receive:
    """What was read, once more; then whatever comes, which is that they left."""
    whole: Message = {"type": "http.request", "body": body, "more_body": False}
    given = iter([whole])

    async def next_message() -> Message:
        return next(given, None) or await receive()

    return next_message


async def _send(response: HttpResponse, send: Send) -> None:
    response["Cache-Control"] = "no-store"
    response["Content-Length"] = str(len(response.content))
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
