"""One JSON object a line (or plain text), with the request id; never a user's text."""

from __future__ import annotations

import logging
import logging.config
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
]


def configure(options: dict[str, Any]) -> None:
    """Django's LOGGING_CONFIG: options are `level` and `format` (json or text)."""
    renderer: Any = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if options["format"] == "json"
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(_standard_library(options["level"], renderer))


def _standard_library(level: str, renderer: Any) -> dict[str, Any]:
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": _SHARED,
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            renderer,
        ],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        # The HTTP client logs whole URLs at INFO; a query may carry what must not be kept.
        "loggers": {name: {"level": "WARNING"} for name in ("httpx", "httpcore", "procrastinate")},
    }
