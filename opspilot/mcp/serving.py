"""The agents' door in the Model Context Protocol: streamable HTTP, no sessions, one JSON answer each."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from opspilot.api import description, door
from opspilot.api.entry import DoorRequest
from opspilot.mcp import calls
from opspilot.mcp.gate import Gate, came
from opspilot.mcp.threads import in_thread
from opspilot.mcp.tools import TOOLS, Tool

PATH = "/mcp"
Context = ServerRequestContext[Any, Any]


class HostsNotNamedError(ImproperlyConfigured):
    """A pattern in ALLOWED_HOSTS would let a rebound name through."""


def application() -> Starlette:
    """What a server of ASGI runs. Raises HostsNotNamedError."""
    manager = StreamableHTTPSessionManager(
        _server(),
        stateless=True,
        json_response=True,
        security_settings=_security(settings.ALLOWED_HOSTS),
        max_request_body_size=door.MAX_BODY,
    )

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    routes = [
        Route(PATH, Gate(manager.handle_request)),
        Route("/livez", _alive, methods=["GET"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


def _server() -> Server[Any]:
    server: Server[Any] = Server(
        "opspilot",
        version="1",
        instructions=description.WORDS.replace("`", ""),
        on_list_tools=_listed,
        on_call_tool=_called,
    )
    server.middleware.clear()  # its spans would carry names that the client makes up (I9)
    return server


def _security(hosts: Sequence[str]) -> TransportSecuritySettings:
    """Against a page that rebinds its name to this machine: the hosts one by one, and no Origin at
    all, since no page of ours asks here."""
    if not hosts or any(host.startswith((".", "*")) for host in hosts):
        raise HostsNotNamedError("ALLOWED_HOSTS must name each host of this process, no pattern")
    allowed = [form for host in hosts for form in (host, f"{host}:*")]
    return TransportSecuritySettings(allowed_hosts=allowed, allowed_origins=[])


async def _listed(
    ctx: Context, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    slug = _came(ctx).visitor.principal.slug
    return types.ListToolsResult(tools=[_described(tool, slug) for tool in TOOLS])


async def _called(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    found = await in_thread(calls.answer, _came(ctx), params.name, params.arguments or {})
    return types.CallToolResult(
        content=[types.TextContent(text=json.dumps(found.data, ensure_ascii=False))],
        structured_content=found.data,
        is_error=found.refused,
    )


def _described(tool: Tool, slug: str) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.words,
        input_schema=tool.schema(slug=slug),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads_only, destructive_hint=False, open_world_hint=False
        ),
    )


def _came(ctx: Context) -> DoorRequest:
    request = ctx.request
    assert isinstance(request, Request)
    return came(request.scope)


async def _alive(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")
