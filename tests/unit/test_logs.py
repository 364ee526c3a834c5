from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from opspilot import logs

SECRET = "529.982.247-25"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What the product's own handler writes; the logging of the test run is put back afterwards."""
    root = logging.getLogger()
    before = list(root.handlers), root.level
    logs.configure({"level": "INFO", "format": "json"})
    stream = io.StringIO()
    (handler,) = [
        h for h in root.handlers if isinstance(h.formatter, structlog.stdlib.ProcessorFormatter)
    ]
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(stream)
    yield stream
    root.handlers[:], root.level = before


def raised(message: str) -> BaseException:
    try:
        try:
            raise KeyError(message)
        except KeyError as cause:
            raise ValueError(message) from cause
    except ValueError as error:
        return error


@pytest.mark.parametrize("style", ["structlog", "standard library"])
def test_a_failure_is_logged_by_class_and_place_and_never_by_its_text(
    style: str, written: io.StringIO
) -> None:
    error = raised(f"a customer's number: {SECRET}")
    if style == "structlog":
        structlog.get_logger("x").error("work failed", exc_info=error)
    else:
        logging.getLogger("y").error("work failed", exc_info=error)
    line = written.getvalue()
    assert SECRET not in line
    entry = json.loads(line)
    assert [link["class"] for link in entry["exception"]] == ["ValueError", "KeyError"]
    assert "test_logs.py" in entry["exception"][0]["at"][-1]


@pytest.mark.parametrize("name", ["mcp.server.transport_security", "mcp.server.lowlevel.server"])
def test_what_a_protocol_s_client_typed_is_not_logged(name: str, written: io.StringIO) -> None:
    logging.getLogger(name).error("Invalid Origin header: %s", SECRET)
    assert written.getvalue() == ""


def test_a_failure_whose_chain_comes_back_to_itself_is_logged_and_each_link_once(
    written: io.StringIO,
) -> None:
    """As when a connection's error is kept and raised again while its own successor is handled."""
    first, second = ValueError("first"), KeyError("second")
    first.__cause__, second.__context__ = second, first
    logging.getLogger("y").error("work failed", exc_info=first)
    entry = json.loads(written.getvalue())
    assert [link["class"] for link in entry["exception"]] == ["ValueError", "KeyError"]
