"""One call of a tool, answered by the door's own operation: no second set of rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any, cast
from urllib.parse import urlencode

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse

from opspilot import request_id
from opspilot.api import door, problems
from opspilot.api.entry import DoorRequest
from opspilot.api.errors import UnknownAddressError
from opspilot.errors import OpsPilotError
from opspilot.mcp.tools import BY_NAME, Call

AGAIN = "repetir_em_segundos"


@dataclass(frozen=True, slots=True)
class Answer:
    """`data` is the operation's answer, or the problem where it was refused."""

    data: dict[str, Any]
    refused: bool


def answer(came: DoorRequest, name: str, arguments: Mapping[str, Any]) -> Answer:
    """`came` is the request that was let in. Raises nothing: a fault is a problem, too."""
    with request_id.job("mcp"):
        response = _response(came, name, arguments)
    data: dict[str, Any] = json.loads(response.content)
    if "Retry-After" in response:
        data[AGAIN] = int(response["Retry-After"])
    return Answer(data, refused=response.status_code >= 400)


def _response(came: DoorRequest, name: str, arguments: Mapping[str, Any]) -> HttpResponse:
    tool = BY_NAME.get(name)
    try:
        if tool is None:
            raise UnknownAddressError
        inside = _inside(came, tool.call(arguments))
    except OpsPilotError as exc:
        return problems.answer(came, exc)
    return door.answer_inside(inside)


def _inside(came: DoorRequest, call: Call) -> DoorRequest:
    """As if it had come to the operation's address; the token goes along, who waits is asked again."""
    body = b"" if call.body is None else json.dumps(call.body).encode()
    environ = {
        "REQUEST_METHOD": call.method,
        "PATH_INFO": call.address,
        "QUERY_STRING": urlencode(call.query or {}, errors="surrogatepass"),
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_AUTHORIZATION": came.headers.get("Authorization", ""),
        "wsgi.input": BytesIO(body),
    }
    if call.key is not None:
        environ["HTTP_IDEMPOTENCY_KEY"] = call.key
    request = cast(DoorRequest, WSGIRequest(environ))
    request.visitor = came.visitor
    return request
