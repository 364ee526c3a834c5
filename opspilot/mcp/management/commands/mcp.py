"""`manage.py mcp`: the agents' second entrance, a process of its own."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from opspilot import telemetry
from opspilot.tenancy.guard import refuse_unsafe_role

PORT = 8100
CONNECTIONS = 64  # at one time; the next ones are told to come later
GRACE = 30  # seconds for what is under way at a stop: longer than any wait


class Command(BaseCommand):
    help = "Serve the Model Context Protocol to the company's agents, at /mcp."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=settings.OPSPILOT_MCP_PORT or PORT)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            import uvicorn

            from opspilot.mcp.serving import HostsNotNamedError, application
        except ModuleNotFoundError as exc:
            raise CommandError(
                "The packages of the extra `mcp` are not installed: pip install 'opspilot[mcp]'."
            ) from exc
        telemetry.configure()
        refuse_unsafe_role()
        try:
            served = application()
        except HostsNotNamedError as exc:
            raise CommandError(str(exc)) from exc
        uvicorn.run(
            served,
            host=options["host"],
            port=options["port"],
            access_log=False,
            log_config=None,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=GRACE,
        )
