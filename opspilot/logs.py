"""One JSON object a line (or plain text), with the request id; never a user's text."""

from __future__ import annotations

import logging
import logging.config
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import structlog


def _without_values(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> Any:
    """Where it failed and with which classes, never the messages: an exception's text may repeat
    what a person typed or a whole row (I9)."""
    found = event.pop("exc_info", None)
    error = sys.exc_info()[1] if found is True else found
    error = error[1] if isinstance(error, tuple) else error
    if isinstance(error, BaseException):
        event["exception"] = [_one(link) for link in _chain(error)]
    return event


def _one(error: BaseException) -> dict[str, Any]:
    """The class, the SQLSTATE where there is one, and the innermost frames."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    where = [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames]
    sqlstate = getattr(error, "sqlstate", None)
    return {"class": type(error).__qualname__, "at": where} | (
        {"sqlstate": sqlstate} if sqlstate else {}
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Each once: one that was kept and raised again later can lead back to itself."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


class _WithoutPaths(logging.Filter):
    """The framework names the address, or the host, that it refuses: a person may have typed there
    what must not be kept. The request id on the line leads to the rest."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith(("django.request", "django.security", "django.server")):
            record.msg = str(record.msg).partition(":")[0].replace(" (%s)", "")
            record.args = ()
        return True


# The HTTP client logs whole URLs at INFO; a query may carry what must not be kept. The protocol's
# library repeats methods, names and headers as the client typed them, at any level.
_LOWEST = {
    "httpx": "WARNING",
    "httpcore": "WARNING",
    "procrastinate": "WARNING",
    "mcp": "CRITICAL",
}
_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
]


def configure(options: dict[str, Any]) -> None:
    """Django's LOGGING_CONFIG: options are `level` and `format` (json or text)."""
    # A handler that fails would print the record it was given, values and all.
    logging.raiseExceptions = False
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
            _without_values,
            renderer,
        ],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "filters": {"paths": {"()": _WithoutPaths}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["paths"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {name: {"level": lowest} for name, lowest in _LOWEST.items()},
    }
